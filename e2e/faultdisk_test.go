package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// smallDisk mounts a file system of the given size in MiB and unmounts it after the test's processes have ended.
func smallDisk(t *testing.T, megabytes string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+megabytes+"m"); err != nil {
		t.Fatalf("mount a small file system, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk uses all free space on the disk, to the last page.
func fillDisk(t *testing.T, disk string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// readiness returns the status and error code of /readyz.
func readiness(t *testing.T, p *process, query string) (status int, code string) {
	t.Helper()
	r, err := p.web().Get(p.url + "/readyz" + query)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Code string }
	_ = json.Unmarshal(body, &answer) // a response without a code leaves it empty
	return r.StatusCode, answer.Code
}

func addProject(c *client.Client, domain string) error {
	_, err := c.CreateProject(background(), client.CreateProject{Name: "New", Domain: domain,
		Source: client.SourceInput{Repository: "lectern:docs"}})
	return err
}

// checkRefusal fails the test unless a change was refused with 503, the code, and a time to wait.
func checkRefusal(t *testing.T, err error, code string) {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) || e.Status != http.StatusServiceUnavailable || e.Code != code || e.RetryAfter <= 0 ||
		e.Hint == "" {
		t.Errorf("a change: %+v, want %s", err, code)
	}
}

// domains lists the domains of the organization's projects.
func domains(t *testing.T, c *client.Client) (list []string) {
	t.Helper()
	all, err := c.ListProjects(background(), client.ListProjectsParams{Limit: 100})
	if err != nil {
		t.Fatalf("list projects: %v", err)
	}
	for _, p := range all.Projects {
		list = append(list, p.Domains...)
	}
	slices.Sort(list)
	return list
}

// startUnready starts a server with a data folder that keeps it from becoming ready, and waits until it responds.
func startUnready(t *testing.T, data string, env []string, args ...string) *process {
	t.Helper()
	address := freeAddress(t)
	p := spawn(t, env, append([]string{"serve", "--data", data, "--listen", address}, args...)...)
	p.url, p.data = "http://"+address, data
	p.Await("an answer", func() bool { return status(p.url+"/healthz") == http.StatusOK })
	return p
}

// D1, D6: a server on a full disk serves its sites and answers read requests; changes get 503 storage_full. This holds
// while it runs, after a restart and after kill -9 on the full disk. Once there is space again, the server recovers
// without intervention, and no stored data is lost.
func TestFullDiskKeepsDataAndServesSites(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "64")
	data := filepath.Join(disk, "data")
	// In nightly runs, the server also publishes its own docs, and retries this while the disk is full.
	firstSite := tier.Choose("off", "auto")
	p := serve(t, data, nil, "--cache-max-bytes", "0", "--first-site", firstSite)
	key := command(t, nil, "keys", "create", "--data", data)
	c := p.client(key)
	publishFolder(t, c, site(t, 20), "full.localhost")
	before := domains(t, c)
	check := func(when string) {
		t.Helper()
		c := p.client(key)
		p.Await(when+": a word about the full disk", func() bool {
			fillDisk(t, disk) // running work may have freed space in the meantime
			s, code := readiness(t, p, "")
			return s == http.StatusServiceUnavailable && code == "storage_full"
		})
		if s, _ := readiness(t, p, "?for=sites"); s != http.StatusOK || status(p.url+"/healthz") != http.StatusOK {
			t.Errorf("%s: for sites %d, health %d", when, s, status(p.url+"/healthz"))
		}
		for _, path := range []string{"/", "/page-00007", "/page-00019"} {
			if code, _ := page(t, p, "full.localhost", path); code != http.StatusOK {
				t.Errorf("%s: %s returns %d", when, path, code)
			}
		}
		if got := domains(t, c); !slices.Equal(got, before) {
			t.Errorf("%s: projects are %v, were %v", when, got, before)
		}
		p.Await(when+": a change that is refused", func() bool {
			fillDisk(t, disk)
			domain := fmt.Sprintf("new%d.example.com", len(before))
			err := addProject(c, domain)
			if err == nil { // completed work may have freed space: accepted changes must not be lost
				before = append(before, domain)
				slices.Sort(before)
				return false
			}
			checkRefusal(t, err, "storage_full")
			return true
		})
		if countLogLines(p, "storage failing", "no space left on device") == 0 {
			t.Errorf("%s: the log does not report the problem", when)
		}
	}
	stopReaders := readers(t, p, "full.localhost")
	check("while it runs")
	if d := diagnose(t, nil, "--data", data); !slices.Contains(d.failed(), "data folder") ||
		!strings.Contains(d.text, "is full") {
		t.Errorf("doctor: %s", d.text)
	}
	stopReaders()
	p.Stop()
	fillDisk(t, disk)
	p = startUnready(t, data, nil, "--cache-max-bytes", "0", "--first-site", firstSite)
	check("after a restart")
	p.Kill()
	fillDisk(t, disk)
	p = startUnready(t, data, nil, "--cache-max-bytes", "0", "--first-site", firstSite)
	check("after kill -9")
	remove(t, filepath.Join(disk, "filler"))
	p.Await("readiness", func() bool { s, _ := readiness(t, p, ""); return s == http.StatusOK })
	c = p.client(key)
	republish(t, c, "full.localhost") // workers, too, have recovered without intervention
	publishFolder(t, c, site(t, 3), "later.localhost")
	p.Stop()
}
