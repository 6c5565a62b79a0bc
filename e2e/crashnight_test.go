//go:build nightly

package e2e

import (
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// J2: after kill -9 in the middle of an export and a restart, the job completes once.
func TestExportSurvivesServerKill(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, []string{oneProcessor}, "--first-site", "off", "--job-lease", "5s")
	key := command(t, nil, "keys", "create", "--data", data)
	c := p.client(key)
	publishFolder(t, c, site(t, manyPages), "big.localhost")
	jobID := startUntilRunning(t, p, c, "big.localhost")
	p.Kill()

	p = serve(t, data, nil, "--first-site", "off", "--job-lease", "5s")
	c = p.client(key)
	first := waitForExport(t, c, jobID)
	republish(t, c, "big.localhost") // otherwise, the next export would reuse the first one's files
	again, err := c.StartExport(background(), client.StartExport{Domain: "big.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	second := waitForExport(t, c, again.JobID)
	if last, err := c.GetExport(background(), again.JobID); err != nil || last.ReusedFrom != nil {
		t.Errorf("the export was not built again: %+v %v", last, err)
	}
	if first.SHA256 != second.SHA256 {
		t.Error("the interrupted export differs from an undisturbed one (B6)")
	}
	jobs, err := c.ListExports(background(), client.ListExportsParams{})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, job := range jobs.Jobs {
		listed[job.JobID]++
	}
	if listed[jobID] != 1 || listed[again.JobID] != 1 {
		t.Errorf("some job is not listed exactly once: %v", listed)
	}
	if left := files(t, data+"/blobs/exports/"+jobID); len(left) != 2 {
		t.Errorf("the job completed more than once: %v", left)
	}
	p.Stop()
	if left := files(t, data+"/work"); len(left) > 1 { // the folder's lock file remains
		t.Errorf("work left behind: %v", left)
	}
}
