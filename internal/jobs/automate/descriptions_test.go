package automate_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// site is a project published from a folder, with one API description in it and one at a URL.
type site struct {
	*rig
	dir     string
	address string
	says    atomic.Pointer[string] // response of the URL
	watch   *automate.Descriptions
	publish func()
	blobs   *worktest.Env
}

func newSite(t *testing.T) *site {
	t.Helper()
	b := worktest.New(t)
	s := &site{blobs: b, rig: &rig{T: t, store: b.Store, org: b.Organization}}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if text := *s.says.Load(); text != "" {
			_, _ = w.Write([]byte(text))
			return
		}
		http.Error(w, "down", http.StatusNotFound)
	}))
	t.Cleanup(host.Close)
	s.address = host.URL + "/openapi.yaml"
	s.answer(described("emus"))
	s.dir = worktest.Write(t, map[string]string{"index.mdx": "---\ntitle: Home\n---\n\nWelcome.\n", "openapi.yaml": described("quokkas"),
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"groups":[{"group":"Guides","pages":["index"]},` +
			`{"group":"API","openapi":["openapi.yaml","` + s.address + `"]}]}}`})
	s.project = b.Project(t, "docs.example.com", project.Source{Path: s.dir})
	s.starter = &automate.Starter{Store: b.Store, Models: []string{"builtin"}, Now: b.Now,
		Secrets: func(context.Context, string) ([]string, error) { return []string{secret}, nil },
		Logger:  slog.New(slog.DiscardHandler)}
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	s.ok(err)
	fetch := guard.Getter(outbound.Limits{})
	s.watch = &automate.Descriptions{Starter: s.starter, Scratch: b.Scratch, Open: b.Source.Open, Fetch: fetch,
		Copies: func(ctx context.Context, d deploy.Deployment) (map[string]string, error) {
			return publish.LoadCopies(ctx, b.Blob, d.ManifestKey)
		}}
	publisher := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, Fetch: fetch,
		SiteURL: func(d string) string { return "https://" + d }, Tool: "test", Lease: worktest.Lease, Now: b.Now}
	s.publish = func() {
		t.Helper()
		p, err := b.Store.FindProject(t.Context(), s.org.ID, s.project.ID)
		s.ok(err)
		d := b.QueueDeployment(t, p, deploy.Production, "")
		hold := b.Take(t)
		for hold.TaskID != d.ID { // a job that an automation started
			hold = b.Take(t)
		}
		s.ok(publisher.Run(t.Context(), hold))
		if d, err = b.Store.FindDeploymentByID(t.Context(), d.ID); err != nil || d.Status != deploy.Success {
			t.Fatalf("%+v, %v", d, err)
		}
		for range 2 {
			s.ok(s.watch.Published(t.Context()))
		}
	}
	return s
}

func (s *site) answer(text string) { s.says.Store(&text) }

func (s *site) write(name, text string) {
	s.Helper()
	worktest.Rewrite(s.T, s.dir, map[string]string{name: text})
}

// look checks the addresses twice; the second check must not report anything again.
func (s *site) look() {
	s.Helper()
	for range 2 {
		s.ok(s.watch.Look(s.Context()))
	}
}

func (s *site) unlimited() automation.Automation {
	s.Helper()
	return s.add(automation.Automation{Trigger: automation.OnAPI})
}

// A publication that changes a description in the docs folder for clients starts one job with the differences. The
// first publication is the baseline. Publications that change no description are ignored; if only the wording
// changed, the log says that the descriptions were compared.
func TestPublishedAPIChangeStartsOneJob(t *testing.T) {
	s := newSite(t)
	a := s.unlimited()
	s.ok(s.watch.Published(t.Context()))
	s.publish()
	s.write("index.mdx", "---\ntitle: Home\n---\n\nMore.\n")
	s.write("data.json", "{}")
	s.publish()
	s.want(a)
	s.write("openapi.yaml", strings.Replace(described("quokkas"), "title: A", "title: B", 1))
	s.publish()
	run := s.want(a, "skipped nothing_new api")
	if !strings.Contains(run.Detail, "Publication dep_") ||
		!strings.Contains(run.Detail, "Nothing changed for clients in openapi.yaml.") {
		t.Errorf("%+v", run)
	}
	s.write("openapi.yaml", described("wombats"))
	s.write("parts.yaml", described("numbats")) // a new description
	s.publish()
	run = s.want(a, "skipped nothing_new api", "started  api")
	if !strings.Contains(run.Context, "/wombats") || !strings.Contains(run.Context, "**Removed**") ||
		!strings.Contains(run.Context, "openapi.yaml of the docs folder") || !strings.Contains(run.Context, "/numbats") ||
		strings.Contains(run.Context, "/emus") {
		t.Errorf("%+v", run)
	}
	s.end()
	s.write("openapi.yaml", "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /wombats:\n    $ref: './wombats.yaml'\n")
	s.write("wombats.yaml", "get:\n  responses: {'200': {description: OK}}\n")
	s.publish()
	s.write("wombats.yaml", "get:\n  parameters: [{name: burrow, in: query, schema: {type: string}}]\n"+
		"  responses: {'200': {description: OK}}\n")
	s.publish()
	run = s.want(a, "skipped nothing_new api", "started  api", "skipped nothing_new api", "started  api")
	if !strings.Contains(run.Context, "burrow") {
		t.Errorf("a file that the description refers to: %+v", run)
	}
}

// Publications made while the automation was disabled are not reported.
func TestPublicationsWhileDisabledAreNotReported(t *testing.T) {
	s := newSite(t)
	a := s.unlimited()
	s.publish()
	for _, on := range []bool{false, true} {
		a.Enabled = on
		s.tx(func(tx *store.Tx) (err error) { a, err = tx.UpdateAutomation(t.Context(), a); return err })
		s.write("openapi.yaml", described("wombats"))
		s.publish()
	}
	s.want(a)
}

// If the previous publication's source is gone, the log says that nothing was compared.
func TestPublicationWithoutStoredSourceIsNotCompared(t *testing.T) {
	s := newSite(t)
	a := s.unlimited()
	s.publish()
	for _, key := range s.blobs.Keys(t, "snapshots/") {
		s.ok(s.blobs.Blob.Delete(t.Context(), key))
	}
	s.write("openapi.yaml", described("wombats"))
	s.publish()
	run := s.want(a, "skipped nothing_new api")
	if !strings.Contains(run.Detail, "were not compared") {
		t.Errorf("%+v", run)
	}
}

// A remote description that changed after the site was published starts one job, without a publication. A publication
// with the same change does not start another.
func TestRemoteAPIChangeStartsOneJob(t *testing.T) {
	s := newSite(t)
	a := s.unlimited()
	s.publish()
	s.look()
	s.answer("") // the host fails
	s.look()
	s.want(a)
	s.answer(described("emus") + "# a comment\n")
	s.look()
	s.answer(described("emus") + "# another comment\n") // no new differences, so no new job
	s.look()
	lines := []string{"skipped nothing_new api"}
	run := s.want(a, lines...)
	if !strings.Contains(run.Detail, "Nothing changed for clients in "+s.address) {
		t.Errorf("%+v", run)
	}
	s.answer("<!doctype html><title>Sign in</title>")
	s.look()
	lines = append(lines, "skipped nothing_new api")
	if run = s.want(a, lines...); !strings.Contains(run.Detail, s.address+" cannot be read") {
		t.Errorf("%+v", run)
	}
	s.answer(described("cassowaries"))
	s.look()
	lines = append(lines, "started  api")
	run = s.want(a, lines...)
	if !strings.Contains(run.Context, s.address+":") || !strings.Contains(run.Context, "/cassowaries") ||
		!strings.Contains(run.Context, "/emus") || strings.Contains(run.Context, "/quokkas") {
		t.Errorf("%+v", run)
	}
	entries, err := s.store.ListAgentEntries(t.Context(), run.JobID, 0, 10)
	if err != nil || len(entries) != 2 || strings.Contains(entries[0].Text, "cassowaries") ||
		!strings.Contains(entries[1].Text, "cassowaries") {
		t.Errorf("%+v, %v", entries, err)
	}
	s.end()
	s.answer("")
	s.look()
	s.answer(described("cassowaries"))
	s.look()
	s.publish()
	s.look()
	s.want(a, lines...)
	s.answer(described("emus"))
	s.publish() // before the address was checked
	s.look()
	s.want(a, append(lines, "started  api")...)
}

// Addresses are fetched only while an enabled automation uses them and the site is published.
func TestAddressesAreFetchedOnlyForAutomations(t *testing.T) {
	s := newSite(t)
	s.publish()
	asked := 0
	s.watch.Fetch = func(context.Context, string) ([]byte, error) { asked++; return nil, os.ErrNotExist }
	s.look()
	a := s.unlimited()
	s.look()
	s.ok(s.watch.Published(t.Context()))
	if asked != 0 {
		t.Errorf("%d requests", asked)
	}
	if s.look(); asked != 2 {
		t.Errorf("%d requests, want one for each check", asked)
	}
	a.Enabled = false
	s.tx(func(tx *store.Tx) (err error) { a, err = tx.UpdateAutomation(t.Context(), a); return err })
	if s.look(); asked != 2 {
		t.Error("fetched for a disabled automation")
	}
	if left, err := filepath.Glob(filepath.Join(s.blobs.ScratchDir, "*", "descriptions*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
