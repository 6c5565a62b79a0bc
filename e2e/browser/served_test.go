package browser

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
)

// served is a built site on the host that serves published sites, with its content security policy.
type served struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // paths, in order
}

// serve builds a docs folder and serves it. Pairs are file names and texts.
func serve(t *testing.T, pairs ...string) *served {
	t.Helper()
	docs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return serveFS(t, docs)
}

func serveFS(t *testing.T, docs fs.FS) *served {
	t.Helper()
	return serveWith(t, docs, nil)
}

// serveWith builds a docs folder and serves it with the given site endpoints.
func serveWith(t *testing.T, docs fs.FS, endpoints map[string]siteapi.Endpoint) *served {
	t.Helper()
	built := &sitehost.Built{}
	report, err := build.Build(t.Context(), docs, build.Options{Offers: capability.Offers{Search: true}}, built)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnostics {
		t.Logf("built with %s", d)
	}
	for _, r := range report.Redirects {
		built.Manifest.Redirects = append(built.Manifest.Redirects,
			deploy.Redirect{Source: r.Source, Destination: r.Destination, Permanent: r.Permanent})
	}
	s := &served{}
	handler := sitehost.Single(sitehost.Options{CacheBytes: 1 << 20, Now: time.Now, Endpoints: endpoints,
		Logger: slog.New(slog.DiscardHandler)}, built)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path)
		s.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// requestsBelow returns the requested paths that begin with one of starts.
func (s *served) requestsBelow(starts ...string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.asked {
		if slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(p, start) }) {
			out = append(out, p)
		}
	}
	return out
}

// requestCount returns how often a path was requested.
func (s *served) requestCount(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(slices.DeleteFunc(slices.Clone(s.asked), func(p string) bool { return p != path }))
}

// markDocument sets a property of the document's window, which is gone once a new document is loaded.
func (p *page) markDocument() { p.t.Helper(); eval[bool](p, `window.sameDocument = true`) }

func (p *page) expectSameDocument(want bool) {
	p.t.Helper()
	if got := eval[bool](p, `window.sameDocument === true`); got != want {
		p.t.Errorf("the document is the same: %v, want %v", got, want)
	}
}

// reload reloads the page and waits for the new document.
func (p *page) reload() {
	p.t.Helper()
	p.markDocument()
	eval[bool](p, `(setTimeout(() => location.reload()), true)`)
	p.waitFor(`window.sameDocument === undefined && document.readyState === "complete"`)
}

// follow clicks a link and waits for the page with that heading.
func (p *page) follow(selector, heading string) {
	p.t.Helper()
	p.click(selector)
	p.waitForHeading(heading)
}

func (p *page) waitForHeading(heading string) {
	p.t.Helper()
	p.waitFor(`document.querySelector("h1")?.textContent === "` + heading +
		`" && document.readyState === "complete" && !document.documentElement.hasAttribute("data-loading")`)
}

// longText returns text that is several windows high.
func longText() string { return strings.Repeat("Words to scroll past.\n\n", 150) }
