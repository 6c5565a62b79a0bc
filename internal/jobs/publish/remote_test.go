package publish_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// goodSpec returns an API description with this many operations.
func goodSpec(operations int) string {
	var paths []string
	for i := range operations {
		paths = append(paths, fmt.Sprintf(
			`"/things%d": {"get": {"summary": "Get things %d", "responses": {"200": {"description": "ok"}}}}`, i, i))
	}
	return `{"openapi": "3.1.0", "info": {"title": "API", "version": "1"}, "paths": {` + strings.Join(paths, ", ") +
		`}}`
}

// specHost is a real host of an API description, whose response can be changed.
type specHost struct {
	*httptest.Server
	answer atomic.Pointer[http.HandlerFunc]
	asked  atomic.Int64
}

func newSpecHost(t *testing.T) *specHost {
	h := &specHost{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked.Add(1)
		(*h.answer.Load())(w, r)
	}))
	t.Cleanup(h.Close)
	h.says(goodSpec(4))
	return h
}

func (h *specHost) set(f http.HandlerFunc) { h.answer.Store(&f) }

func (h *specHost) says(text string) {
	h.set(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
}

// remoteSite returns a site with two pages and those of the API description at an address.
func remoteSite(address string) map[string]string {
	files := maps.Clone(site)
	files["docs.json"] = `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"groups":[{"group":"Guides","pages":["index","guides/start"]},` +
		"\n" + `{"group":"API","openapi":"` + address + `"}]}}`
	return files
}

// fetching returns a publisher that may reach loopback addresses, just like with an operator's --allow-address.
func fetching(t *testing.T, b *worktest.Env) *publish.Publisher {
	t.Helper()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	p := publisher(b)
	p.Fetch = guard.Getter(outbound.Limits{Time: 500 * time.Millisecond, Retries: 1, Pause: time.Millisecond,
		Bytes: 17 << 20})
	return p
}

// update publishes a project with a publisher and returns the result.
func update(t *testing.T, b *worktest.Env, pub *publish.Publisher, p project.Project) deploy.Deployment {
	t.Helper()
	d := b.QueueDeployment(t, p, deploy.Production, "")
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// apiPages returns the pages of a deployment that were generated from an API description.
func apiPages(t *testing.T, b *worktest.Env, d deploy.Deployment) (out []string) {
	t.Helper()
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	if err != nil {
		t.Fatal(err)
	}
	for path, f := range m.Files {
		if strings.HasPrefix(path, "api-reference/") && strings.HasSuffix(path, ".html") {
			out = append(out, path+" "+f.SHA256)
		}
	}
	slices.Sort(out)
	return out
}

func finding(d deploy.Deployment, code string) (diag.Diagnostic, bool) {
	at := slices.IndexFunc(d.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == code })
	if at < 0 {
		return diag.Diagnostic{}, false
	}
	return d.Diagnostics[at], true
}

// badAnswers returns responses from which no site may be built, each with the finding's code and a word from its
// message.
func badAnswers(t *testing.T) map[string]struct {
	answer     http.HandlerFunc
	code, word string
} {
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code); _, _ = w.Write([]byte(goodSpec(4))) }
	}
	good := goodSpec(4)
	return map[string]struct {
		answer     http.HandlerFunc
		code, word string
	}{
		"truncated JSON": {text(good[:len(good)-30]), "spec-syntax", "cannot be used"},
		"truncated YAML": {text("openapi: 3.1.0\ninfo:\n  title: \"cut"), "spec-syntax", "not valid YAML"},
		"cut connection": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			_, _ = w.Write([]byte(good[:100]))
		}, "spec-not-fetched", "is incomplete"},
		"empty":       {text(""), "spec-empty", "empty"},
		"white space": {text(" \n"), "spec-empty", "empty"},
		"no paths": {text(`{"openapi": "3.1.0", "info": {"title": "API", "version": "1"}}`), "spec-empty",
			"no operation"},
		"empty paths": {
			text(`{"openapi": "3.1.0", "info": {}, "paths": {}, "components": {"schemas": {"A": {"type": "object"}}}}`),
			"spec-empty", "no operation"},
		"paths without method": {text(`{"swagger": "2.0", "info": {}, "paths": {"/a": {}}}`), "spec-empty",
			"no operation"},
		"no channels":        {text(`{"asyncapi": "3.0.0", "info": {}, "channels": {}}`), "spec-empty", "no operation"},
		"HTML":               {text("<!DOCTYPE html><title>Sign in</title>"), "spec-syntax", "HTML"},
		"another JSON":       {text(`{"message": "hello"}`), "spec-version", "not an API description"},
		"a list":             {text(`[1, 2]`), "spec-version", "not an API description"},
		"binary":             {text("\x89PNG\r\n\x1a\n\x00\x00"), "spec-syntax", "cannot be used"},
		"404":                {status(404), "spec-not-fetched", "404"},
		"500":                {status(500), "spec-not-fetched", "500"},
		"204":                {status(204), "spec-not-fetched", "204"},
		"too large":          {text(strings.Repeat(" ", 17<<20) + good), "spec-not-fetched", "larger"},
		"larger than a file": {text(strings.Repeat(" ", 16<<20) + good), "spec-size", "larger"},
		"too slow": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"spec-not-fetched", "too long"},
		"redirects in a circle": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again", http.StatusFound)
		},
			"spec-not-fetched", "redirected"},
	}
}

// F8: an unusable API description at another host fails the update if there is no good copy, and the finding reports
// where the address is written and what is wrong.
func TestBadRemoteDescriptionWithoutAGoodCopyFails(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	n := 0
	for name, bad := range badAnswers(t) {
		n++
		p := b.Project(t, fmt.Sprintf("d%d.example.com", n),
			project.Source{Path: worktest.Write(t, remoteSite(host.URL+"/openapi.json"))})
		host.set(bad.answer)
		d := update(t, b, pub, p)
		found, ok := finding(d, bad.code)
		// The problem may disappear without a new commit, so the poller retries.
		if d.Status != deploy.Failure || !d.Transient || !ok || found.Severity != diag.Error ||
			found.File != "docs.json" || found.Line != 2 || found.Column == 0 || found.Hint == "" ||
			!strings.Contains(found.Message, bad.word) || !strings.Contains(found.Message, host.URL) ||
			!strings.Contains(d.Error, found.Message) {
			t.Errorf("%s: %s %q %+v", name, d.Status, d.Error, d.Diagnostics)
		}
		if live, err := b.Store.FindLive(t.Context(), p.Domains[0]); err != nil || live.DeploymentID != "" {
			t.Errorf("%s: live is %+v, %v", name, live, err)
		}
	}
}

// F8: if there is a good copy, the update uses it: all pages stay, and the finding says so, and states what is wrong
// and how old the copy is.
func TestBadRemoteDescriptionKeepsTheLastGoodCopy(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	dir := worktest.Write(t, remoteSite(host.URL+"/openapi.json"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	first := update(t, b, pub, p)
	want := apiPages(t, b, first)
	if first.Status != deploy.Success || len(want) != 4 || len(first.Diagnostics) != 0 {
		t.Fatalf("%+v", first)
	}
	since := b.Now().UTC().Format("2006-01-02 15:04 UTC")
	b.Advance(48 * time.Hour)
	for name, bad := range badAnswers(t) {
		host.set(bad.answer)
		worktest.Rewrite(t, dir,
			map[string]string{"guides/start.mdx": "---\ntitle: Start\n---\nBegin with " + name + ".\n"})
		d := update(t, b, pub, p)
		found, ok := finding(d, "spec-kept")
		if d.Status != deploy.Success || !ok || found.Severity != diag.Error || found.File != "docs.json" ||
			found.Line != 2 || !strings.Contains(found.Message, bad.word) || found.Hint == "" {
			t.Errorf("%s: %s %q %+v", name, d.Status, d.Error, d.Diagnostics)
			continue
		}
		if day, _, _ := strings.Cut(since, " "); !strings.Contains(found.Message, "The copy of "+day) {
			t.Errorf("%s: %s", name, found.Message)
		}
		if got := apiPages(t, b, d); !slices.Equal(got, want) {
			t.Errorf("%s: pages %v", name, got)
		}
		if !slices.ContainsFunc(d.Logs,
			func(l deploy.LogLine) bool { return strings.Contains(l.Message, "The copy of") }) {
			t.Errorf("%s: the log does not say it: %+v", name, d.Logs)
		}
		if live, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || live.DeploymentID != d.ID ||
			!strings.Contains(page(t, b, d, "guides/start.html"), name) {
			t.Errorf("%s: the rest of the update is not live: %v", name, err)
		}
	}
	host.says(goodSpec(5))
	if d := update(t, b, pub, p); d.Status != deploy.Success || len(apiPages(t, b, d)) != 5 || len(d.Diagnostics) != 0 {
		t.Errorf("after the repair: %+v", d)
	}
	host.Close()
	if d := update(t, b, pub, p); d.Status != deploy.Success || len(apiPages(t, b, d)) != 5 {
		t.Errorf("unreachable: %+v", d)
	}
}
