package e2e

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// Exporting manyPages takes about half a second on one processor, long enough to interrupt an export.
const (
	manyPages    = 400
	oneProcessor = "GOMAXPROCS=1"
)

// publishFolder creates a project from a folder and waits until it is published.
func publishFolder(t *testing.T, c *client.Client, dir, domain string) {
	t.Helper()
	made, err := c.CreateProject(background(),
		client.CreateProject{Name: "Big", Domain: domain, Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
}

// republish publishes a domain's project once more.
func republish(t *testing.T, c *client.Client, domain string) {
	t.Helper()
	list, err := c.ListProjects(background(), client.ListProjectsParams{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list.Projects, func(p client.Project) bool { return slices.Contains(p.Domains, domain) })
	if at < 0 {
		t.Fatalf("no project has the domain %s", domain)
	}
	update, err := c.StartUpdate(background(), list.Projects[at].ProjectID, client.StartUpdate{})
	if err == nil {
		_, err = c.WaitUpdate(background(), update.StatusID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// startUntilRunning starts an export and returns once it is writing pages. If the export ends before it is seen
// running, it publishes the same content again and starts another export.
func startUntilRunning(t *testing.T, p *process, c *client.Client, domain string) string {
	t.Helper()
	for range 5 {
		job, err := c.StartExport(background(), client.StartExport{Domain: domain})
		if err != nil {
			t.Fatal(err)
		}
		running := false
		p.Await("a running export", func() bool {
			got, err := c.GetExport(background(), job.JobID)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status == client.ExportStatusFailed {
				t.Fatalf("%+v", got)
			}
			running = got.Status == client.ExportStatusRunning && got.PageCount > 0
			return running || got.Status == client.ExportStatusCompleted
		})
		if running {
			return job.JobID
		}
		republish(t, c, domain)
	}
	t.Fatal("every export ended before it could be interrupted")
	return ""
}

// waitForExport waits until an export ends and checks that its figures never decrease (J5) and that its bundle is
// complete.
func waitForExport(t *testing.T, c *client.Client, jobID string) *client.BundleLink {
	t.Helper()
	var last client.ExportJob
	job, err := c.WaitExport(background(), jobID, func(j client.ExportJob) {
		if j.Progress < last.Progress || j.PageCount < last.PageCount {
			t.Errorf("figures decreased from %v/%d to %v/%d", last.Progress, last.PageCount, j.Progress, j.PageCount)
		}
		last = j
	})
	if err != nil {
		t.Fatal(err)
	}
	if job.Progress != 100 || job.PageCount != manyPages+1 {
		t.Fatalf("%+v", job)
	}
	link, err := c.CreateExportBundle(background(), jobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil {
		t.Fatal(err)
	}
	var bundle bytes.Buffer
	if err := c.Download(background(), link, &bundle); err != nil { // checks size and sha256
		t.Fatal(err)
	}
	return link
}

// startCluster starts one server without embedded workers and two workers, on PostgreSQL and S3.
func startCluster(t *testing.T) (server *process, workers []*process, c *client.Client) {
	t.Helper()
	env := append(sharedSettings(t, database.Database(t)), oneProcessor)
	server = serve(t, t.TempDir(), env, "--first-site", "off", "--workers=-1")
	c = server.client(command(t, env, "keys", "create", "--data", t.TempDir()))
	for range 2 {
		w := spawn(t, env, "worker", "--data", t.TempDir(), "--workers", "1")
		w.Await("start", func() bool { return strings.Contains(w.Output(), "worker started") })
		workers = append(workers, w)
	}
	publishFolder(t, c, site(t, manyPages), "big.localhost")
	return server, workers, c
}

// workerOf returns the process that has taken the job, according to its log.
func workerOf(t *testing.T, all []*process, jobID string) *process {
	t.Helper()
	for _, p := range all {
		if strings.Contains(p.Output(), jobID) {
			return p
		}
	}
	t.Fatal("no worker reports the job")
	return nil
}

// J2, J3: with two workers on PostgreSQL and S3, the one that runs the job is killed, and the other completes it.
func TestExportSurvivesWorkerKill(t *testing.T) {
	t.Parallel()
	server, workers, c := startCluster(t)
	jobID := startUntilRunning(t, server, c, "big.localhost")
	workerOf(t, workers, jobID).Kill()
	waitForExport(t, c, jobID)
}

// J3: a frozen worker loses its job to another worker and cannot overwrite the result when it resumes.
func TestResumedWorkerCannotOverwriteResult(t *testing.T) {
	t.Parallel()
	server, workers, c := startCluster(t)
	jobID := startUntilRunning(t, server, c, "big.localhost")
	victim := workerOf(t, workers, jobID)
	if err := victim.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	before := waitForExport(t, c, jobID)
	if err := victim.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	victim.Await("the late worker's notice that it lost the job", func() bool {
		return countLogLines(victim, jobID, `"outcome":"lost"`) > 0
	})
	after, err := c.CreateExportBundle(background(), jobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil || after.SHA256 != before.SHA256 {
		t.Fatalf("the bundle changed: %v", err)
	}
	if code := status(after.BundleURL); code != http.StatusOK {
		t.Fatalf("the bundle is gone: %d", code)
	}
}
