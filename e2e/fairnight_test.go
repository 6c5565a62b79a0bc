//go:build nightly

package e2e

import (
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// J7: thousands of one organization's exports are waiting. Another organization's only export is queued last and is
// among the first to start.
func TestBacklogDoesNotDelayAnotherOrganization(t *testing.T) {
	t.Parallel()
	const hands = 8
	const backlog = 2000
	url := database.Database(t)
	env := sharedSettings(t, url)
	orgs, roots := organizations(t, env, t.TempDir(), 2, 3)
	env = append(env, roots)
	p := serve(t, t.TempDir(), env, "--first-site", "off", "--workers=-1", "--rate-limit", "0",
		"--export-max-queued-per-organization", "0")
	both := []*client.Client{p.client(orgs[0].key), p.client(orgs[1].key)}
	newProject(t, both[0], orgs[0].source, "many.localhost")
	newProject(t, both[1], orgs[1].source, "one.localhost")
	var wait sync.WaitGroup
	for range hands {
		wait.Go(func() {
			for range backlog / hands {
				if _, err := both[0].StartExport(background(),
					client.StartExport{Domain: "many.localhost"}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	job, err := both[1].StartExport(background(), client.StartExport{Domain: "one.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	w := startWorker(t, env, t.TempDir())
	w.Await("the start of the only one", func() bool { return strings.Contains(w.Output(), job.JobID) })
	before, _, _ := strings.Cut(w.Output(), job.JobID)
	// The exports in both slots and both first publications start before it, and so do some of the other exports while
	// its own project is being published.
	if n := strings.Count(before, `"msg":"task started"`); n > 40 {
		t.Errorf("it was number %d to start", n)
	}
	if _, err := both[1].WaitExport(background(), job.JobID, nil); err != nil {
		t.Error(err)
	}
}
