//go:build nightly

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// descriptionHost serves an API description with a given number of operations, or a response that a test sets.
type descriptionHost struct {
	*httptest.Server
	answer atomic.Pointer[http.HandlerFunc]
}

func newDescriptionHost(t *testing.T) *descriptionHost {
	h := &descriptionHost{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(*h.answer.Load())(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *descriptionHost) set(f http.HandlerFunc) { h.answer.Store(&f) }

func (h *descriptionHost) operations(n int) {
	var paths []string
	for i := range n {
		paths = append(paths, fmt.Sprintf(`"/pets%d": {"get": {"summary": "Pets %d"}}`, i, i))
	}
	h.set(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {%s}}`,
			strings.Join(paths, ", "))
	})
}

// petSite returns the digest of all pages of the site and the number of pages.
func petSite(t *testing.T, p *process, operations int) (set string, there int) {
	t.Helper()
	sum := sha256.New()
	for i := -1; i < operations; i++ {
		path := "/"
		if i >= 0 {
			path = fmt.Sprintf("/api-reference/pets-%d", i)
		}
		req, err := http.NewRequest(http.MethodGet, p.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "pets.localhost"
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode == http.StatusOK {
			there++
		}
		fmt.Fprintf(sum, "%s %d %s\n", path, r.StatusCode, body)
	}
	return hex.EncodeToString(sum.Sum(nil)), there
}

// F8, B13: when the host of an API description returns something else, the running server keeps the description's
// pages, reports the problem, exports the live pages, holds an update that would remove most pages until it is
// confirmed, rolls back, and survives kill -9 while it waits for the host.
func TestInvalidDescriptionRemovesNoPages(t *testing.T) {
	t.Parallel()
	host := newDescriptionHost(t)
	host.operations(8)
	data, dir := t.TempDir(), t.TempDir()
	write(t, dir+"/docs.json",
		`{"name":"Pets","navigation":{"groups":[{"group":"Guides","pages":["index"]},{"group":"API","openapi":"`+
			host.URL+`/openapi.json"}]}}`)
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n")
	allow := []string{"--first-site", "off", "--allow-address", "127.0.0.1"}
	p := serve(t, data, nil, allow...)
	key := command(t, nil, "keys", "create", "--data", data)
	c := p.client(key)
	made, err := c.CreateProject(background(),
		client.CreateProject{Name: "Pets", Domain: "pets.localhost", Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.WaitUpdate(background(), made.LastUpdate.StatusID, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, there := petSite(t, p, 8)
	if there != 9 {
		t.Fatalf("%d pages: %+v", there, first)
	}
	update := func(start func() (*client.UpdateAccepted, error)) *client.UpdateStatus {
		t.Helper()
		s, err := start()
		if err != nil {
			t.Fatal(err)
		}
		u, err := c.WaitUpdate(background(), s.StatusID, nil)
		if u == nil {
			t.Fatal(err)
		}
		return u
	}
	plain := func() (*client.UpdateAccepted, error) {
		return c.StartUpdate(background(), made.ProjectID, client.StartUpdate{})
	}

	host.set(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"openapi": "3.1.0", "paths": {"/pe`))
	})
	u := update(plain)
	kept := slices.IndexFunc(u.Diagnostics, func(d client.Diagnostic) bool { return d.Code == "spec-kept" })
	if u.Status != client.UpdateStateSuccess || kept < 0 || u.Diagnostics[kept].File != "docs.json" ||
		u.Diagnostics[kept].Line != 1 || u.Diagnostics[kept].Column == 0 {
		t.Fatalf("%+v", u)
	}
	if now, _ := petSite(t, p, 8); now != whole {
		t.Error("a page changed")
	}
	if !strings.Contains(p.Output(), "publishing its last good copy") {
		t.Errorf("the log does not report it: %s", p.Tail(500))
	}
	job, err := c.StartExport(background(), client.StartExport{Domain: "pets.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := c.WaitExport(background(), job.JobID, nil); err != nil || done.PageCount != 9 ||
		bundlePages(t, c, job.JobID) != 8 {
		t.Errorf("export: %+v %v", done, err)
	}

	host.operations(1)
	if u = update(plain); u.Status != client.UpdateStateFailure || u.Error == nil ||
		!strings.Contains(*u.Error, "7 of 9 pages") || u.Diagnostics[0].Code != "update-held" {
		t.Fatalf("%+v", u)
	}
	if now, _ := petSite(t, p, 8); now != whole {
		t.Error("a held update changed a page")
	}
	command(t, []string{"LECTERN_URL=" + p.url, "LECTERN_KEY=" + strings.TrimSpace(key)}, "projects", "update",
		made.ProjectID, "--accept-removals", "--wait")
	p.Await("the confirmed update", func() bool { _, there := petSite(t, p, 8); return there == 2 })
	if _, err := c.RollBack(background(), made.ProjectID, client.RollBack{DeploymentID: first.StatusID}); err != nil {
		t.Fatal(err)
	}
	p.Await("the roll-back", func() bool { now, _ := petSite(t, p, 8); return now == whole })

	asked := make(chan struct{}, 10)
	host.set(func(_ http.ResponseWriter, r *http.Request) { asked <- struct{}{}; <-r.Context().Done() })
	if _, err := plain(); err != nil {
		t.Fatal(err)
	}
	<-asked
	p.Kill()
	host.operations(12)
	p = serve(t, data, nil, allow...)
	if now, there := petSite(t, p, 12); there != 9 && there != 13 {
		t.Errorf("after the kill %d pages, %s", there, now)
	}
	p.Await("the update after the kill", func() bool { _, there := petSite(t, p, 12); return there == 13 })
}

// bundlePages counts the API's pages in an export's bundle.
func bundlePages(t *testing.T, c *client.Client, jobID string) (n int) {
	t.Helper()
	link, err := c.CreateExportBundle(background(), jobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if err := c.Download(background(), link, &raw); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&raw)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(h.Name, "api-reference/") && strings.HasSuffix(h.Name, ".html") {
			n++
		}
	}
}
