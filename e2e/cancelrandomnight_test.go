//go:build nightly

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// J8: exports, updates and agent jobs that are stopped at random points leave nothing behind: no process, no file in
// the work folder, no partial blob, and no blob that only they would have used.
func TestInterruptedWorkLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	const pages, rounds = 400, 5
	dir := site(t, pages)
	for i := range pages / 4 { // author code runs in separate processes
		name := fmt.Sprintf("%s/page-%05d.mdx", dir, 4*i)
		write(t, name, fmt.Sprintf("---\ntitle: Page %d\n---\n\n{['a', 'b'].map((x) => <p>{x} of page %d</p>)}\n", 4*i,
			4*i))
	}
	c, jobs := startWithProject(t, nil, client.SourceInput{Path: dir})
	api := c.client(c.key)
	var stopped []string // ids of jobs that a worker may have started
	for round := range rounds {
		stopped = append(stopped, stopExport(t, c, api, round, mathrand.IntN(pages)),
			stopUpdate(t, c, api, dir, round, mathrand.IntN(4)),
			stopAgent(c, jobs, mathrand.IntN(12)))
	}
	for _, id := range stopped {
		c.Await("the end of "+id,
			func() bool {
				return countLogLines(c.process, id, `"msg":"task started"`) == countLogLines(c.process, id, `"outcome"`)
			})
	}
	c.Await("the end of all processes", func() bool { return childOf(t, c.Pid(), "") == 0 })
	for _, name := range files(t, c.data) {
		switch {
		case strings.Contains(name, "~tmp/"):
			t.Errorf("left partially stored: %s", name)
		case strings.Contains(name, "work/") && filepath.Base(name) != "lock":
			t.Errorf("left in the work folder: %s", name)
		}
		for _, id := range stopped {
			if strings.Contains(name, id) && countLogLines(c.process, id, `"outcome":"canceled"`) > 0 {
				t.Errorf("left behind by a canceled job: %s", name)
			}
		}
	}
}

// stopExport cancels an export once it has written the given number of pages.
func stopExport(t *testing.T, c caller, api *client.Client, round, pages int) string {
	t.Helper()
	job, err := api.StartExport(background(),
		client.StartExport{Domain: "mine.localhost", Version: fmt.Sprint("round-", round)})
	if err != nil {
		t.Fatal(err)
	}
	c.Await("pages of an export", func() bool {
		now, err := api.GetExport(background(), job.JobID)
		return err == nil && (now.PageCount >= pages || now.Status == client.ExportStatusCompleted)
	})
	_, err = api.CancelExport(background(), job.JobID)
	var refused *client.Error
	if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusConflict) { // the export may have ended
		t.Fatal(err)
	}
	return job.JobID
}

// stopUpdate deletes a project once its first update has logged the given number of lines.
func stopUpdate(t *testing.T, c caller, api *client.Client, dir string, round, lines int) string {
	t.Helper()
	made := newProject(t, api, dir, fmt.Sprintf("round-%d.localhost", round))
	id := made.LastUpdate.StatusID
	c.Await("an update under way", func() bool {
		now, err := api.GetUpdateStatus(background(), id)
		return err == nil && (now.Status == client.UpdateStateInProgress && len(now.Logs) >= min(lines, 2) ||
			now.EndedAt != nil)
	})
	if err := api.DeleteProject(background(), made.ProjectID); err != nil {
		t.Fatal(err)
	}
	return id
}

// stopAgent archives an agent job once its stream has sent the given number of lines.
func stopAgent(c caller, jobs string, lines int) string {
	var job client.AgentJob
	c.call(http.MethodPost, jobs, map[string]string{"prompt": "fix broken links"}, http.StatusCreated, &job)
	stream := c.do(http.MethodGet, jobs+"/"+job.ID+"/events", nil)
	defer func() { _ = stream.Body.Close() }()
	for scanner := bufio.NewScanner(stream.Body); lines > 0 && scanner.Scan(); lines-- {
	}
	archive(c, jobs+"/"+job.ID)
	return job.ID
}
