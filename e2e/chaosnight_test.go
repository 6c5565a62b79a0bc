//go:build nightly

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

var deaths = flag.Int("deaths", 100, "how many workers TestJobsCompleteOnceDespiteWorkerKills kills")

// chaos is a cluster whose workers are killed again and again.
type chaos struct {
	t       *testing.T
	env     []string
	server  *process
	workers []*process
	logs    []string // of killed workers
	killed  int
	hits    map[string]int // how often each task lost its worker
	random  *rand.Rand
}

var started = regexp.MustCompile(`"msg":"task started".*"task":"(\w+)"`)

// currentTask returns the task that a worker took last, or "" if there is none.
func currentTask(p *process) string {
	all := started.FindAllStringSubmatch(p.Output(), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// kill kills a random worker shortly after it took a task and starts it again. It spares a task that would otherwise
// fail because it has lost too many workers.
func (c *chaos) kill(busy func() bool) {
	c.t.Helper()
	i := c.random.IntN(len(c.workers))
	w := c.workers[i]
	seen := currentTask(w)
	w.Await("another task, or the end of all", func() bool { return currentTask(w) != seen || !busy() })
	<-time.After(time.Duration(c.random.IntN(60)) * time.Millisecond) // a random point of the task
	hit := currentTask(w)
	if c.hits[hit] >= 2 {
		return
	}
	c.hits[hit]++
	w.Kill()
	c.killed++
	c.logs = append(c.logs, w.Output())
	c.workers[i] = startWorker(c.t, c.env, w.data)
}

// J2, J9: workers on PostgreSQL and S3 are killed repeatedly while three organizations publish and export. Every job
// completes exactly once, readers notice nothing, and nothing is left behind.
func TestJobsCompleteOnceDespiteWorkerKills(t *testing.T) {
	t.Parallel()
	const pages = 40
	// Each round publishes every site again, and only a site's newest twenty deployments are kept. More exports per
	// round mean fewer rounds.
	exportsEach := max(4, *deaths/8)
	url := database.Database(t)
	c := &chaos{t: t, env: sharedSettings(t, url), hits: map[string]int{}, random: rand.New(rand.NewPCG(20, 26))}
	tenants, roots := organizations(t, c.env, t.TempDir(), 3, pages)
	c.env = append(c.env, roots)
	metrics := freeAddress(t)
	c.server = serve(t, t.TempDir(), c.env, "--first-site", "off", "--workers=-1", "--metrics-listen", metrics)
	var orgs []*client.Client
	for _, o := range tenants {
		orgs = append(orgs, c.server.client(o.key))
	}
	first := startWorker(t, c.env, t.TempDir())
	var projects []*client.Project
	var domains []string
	for i, org := range orgs {
		domains = append(domains, fmt.Sprintf("docs%d.localhost", i))
		projects = append(projects, newProject(t, org, tenants[i].source, domains[i]))
		if _, err := org.WaitUpdate(background(), projects[i].LastUpdate.StatusID, nil); err != nil {
			t.Fatal(err)
		}
	}
	first.Stop()
	jobs, updates := make([][]string, len(orgs)), make([][]string, len(orgs))
	queueMore := func() {
		for i, org := range orgs {
			more, published := queueMany(t, org, projects[i], tenants[i].source, len(jobs[i]), exportsEach)
			jobs[i], updates[i] = append(jobs[i], more...), append(updates[i], published...)
		}
	}
	queueMore()
	for range 3 {
		c.workers = append(c.workers, startWorker(t, c.env, t.TempDir()))
	}
	stopReaders := readers(t, c.server, domains...)
	busy := func() bool { return openTasks(t, metrics) != "0 0" }
	for c.killed < *deaths {
		if !busy() { // the workers finished before the kill
			queueMore()
		}
		c.kill(busy)
	}
	for i, org := range orgs {
		checkExports(t, org, jobs[i], pages+1)
		for _, id := range updates[i] {
			if _, err := org.WaitUpdate(background(), id, nil); err != nil {
				t.Error(err)
			}
		}
	}
	stopReaders()
	if left := openTasks(t, metrics); left != "0 0" {
		t.Errorf("waiting and running at the end: %s", left)
	}
	c.checkEnd()
	t.Logf("%d worker kills over %d tasks", c.killed, len(c.hits))
}

// queueMany starts exports of a published project, numbered from first, and in between creates other projects, which
// are published for the first time.
func queueMany(t *testing.T, c *client.Client, p *client.Project, source string, first, exports int) (jobs,
	updates []string) {
	t.Helper()
	for n := first; n < first+exports; n++ {
		// identical exports would be merged into one job
		job, err := c.StartExport(background(), client.StartExport{Domain: p.Domain, Version: fmt.Sprint(n)})
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job.JobID)
		if n%2 == 0 {
			updates = append(updates, newProject(t, c, source, fmt.Sprintf("more%d.%s", n, p.Domain)).
				LastUpdate.StatusID)
		}
	}
	update, err := c.StartUpdate(background(), p.ProjectID, client.StartUpdate{}) // readers will see this update
	if err != nil {
		t.Fatal(err)
	}
	return jobs, append(updates, update.StatusID)
}

// openTasks reads the number of waiting and running tasks from the server's metrics.
func openTasks(t *testing.T, metrics string) string {
	t.Helper()
	r, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	figure := func(name string) string {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(string(text))
		if found == nil {
			t.Fatalf("no metric %s", name)
		}
		return found[1]
	}
	return figure("lectern_tasks_queued") + " " + figure("lectern_tasks_running")
}

// checkExports waits for an organization's exports and compares the content of their bundles, which have the same
// source (B6). Their labels differ, so that no export reuses the files of another; files that contain the bundle's
// name, such as 404.html, differ as well.
func checkExports(t *testing.T, c *client.Client, ids []string, pages int) {
	t.Helper()
	first := ""
	for _, id := range ids {
		job, err := c.WaitExport(background(), id, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if job.Progress != 100 || job.PageCount != pages || job.ReusedFrom != nil {
			t.Errorf("%+v", job)
		}
		for _, format := range []client.BundleFormat{client.BundleFormatTarGz, client.BundleFormatZip} {
			var bundle bytes.Buffer
			link, err := c.CreateExportBundle(background(), id, client.CreateExportBundleParams{Format: format})
			if err == nil {
				err = c.Download(background(), link, &bundle) // checks size and sha256
			}
			if err != nil {
				t.Error(err)
				continue
			}
			hashes := pageHashes(t, format, bundle.Bytes())
			if first == "" {
				first = hashes
			}
			if hashes != first || strings.Count(hashes, "\n") < pages-1 {
				t.Errorf("bundles of the same source differ: %s", id)
			}
		}
	}
}

// pageHashes reads the digests of a bundle's pages from its manifest.
func pageHashes(t *testing.T, format client.BundleFormat, bundle []byte) string {
	t.Helper()
	var manifest struct {
		Files []struct{ Path, SHA256 string }
	}
	raw := fileIn(t, format, bundle, "manifest.json")
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatalf("manifest %.100s: %v", raw, err)
	}
	var all []string
	for _, f := range manifest.Files {
		if strings.HasSuffix(f.Path, ".html") && f.Path != "404.html" {
			all = append(all, f.Path+" "+f.SHA256)
		}
	}
	return strings.Join(all, "\n")
}

// checkEnd stops the workers and checks that no task completed twice, no work folder is left, and the logs contain no
// error.
func (c *chaos) checkEnd() {
	c.t.Helper()
	for _, w := range c.workers {
		w.Stop()
		text := w.Output()
		if _, stopping, _ := strings.Cut(text, "worker stopping"); strings.Contains(stopping, `"level":"ERROR"`) {
			c.t.Errorf("a normal stop logs %s", stopping)
		}
		if left := files(c.t, w.data+"/work"); len(left) > 1 { // the folder's lock file remains
			c.t.Errorf("work left behind: %v", left)
		}
		c.logs = append(c.logs, text)
	}
	done := map[string]int{}
	for _, m := range regexp.MustCompile(`"msg":"task ended".*"task":"(\w+)".*"outcome":"done"`).
		FindAllStringSubmatch(strings.Join(c.logs, "\n"), -1) {
		if done[m[1]]++; done[m[1]] > 1 {
			c.t.Errorf("%s was completed twice", m[1])
		}
	}
	if len(done) == 0 {
		c.t.Error("the logs report no completed task")
	}
}
