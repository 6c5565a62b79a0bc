package sitehost_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// headerAccess takes the reader's view from a header instead of a session.
type headerAccess struct{}

func (headerAccess) Admit(w http.ResponseWriter, r *http.Request, site siteapi.Protected) (access.Reader, bool) {
	v, err := reader.Parse(r.Header.Get("X-View"))
	if err != nil {
		panic(err)
	}
	if v.Anonymous && !site.Public(r) {
		http.Error(w, "sign in", http.StatusUnauthorized)
		return access.Reader{}, false
	}
	return access.Reader{Anonymous: v.Anonymous, Groups: v.Groups}, true
}

// protectedSite creates a project whose readers must sign in.
func (s *stage) protectedSite(t *testing.T, domain string) project.Project {
	t.Helper()
	p := s.Project(t, domain, project.Source{Path: worktest.Write(t, groupFiles())})
	s.protect(t, p)
	return p
}

// protect restricts a site to signed-in readers.
func (s *stage) protect(t *testing.T, p project.Project) {
	t.Helper()
	if err := s.Store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.SetReaderAccess(t.Context(), access.Settings{ProjectID: p.ID, Mode: access.Organization})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// newViewStage returns a stage whose readers identify themselves with a header, and a function that returns the views
// requested since its last call.
func newViewStage(t *testing.T) (*stage, func() string) {
	t.Helper()
	s := &stage{Env: worktest.New(t), offers: capability.Offers{Search: true}}
	var mu sync.Mutex
	var asked []string
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, PreviewDomain: "preview.localhost",
		CacheBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler), Access: headerAccess{},
		Endpoints: map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New()},
		Ask: func(_ sitehost.Site, v reader.View, built bool) {
			mu.Lock()
			defer mu.Unlock()
			if built {
				asked = append(asked, "use:"+v.Key())
			} else {
				asked = append(asked, v.Key())
			}
		},
		Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ahead += time.Second
			return time.Now().Add(s.ahead)
		}})
	s.handler = host.Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
	return s, func() string {
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(asked)
		out := strings.Join(asked, " ")
		asked = nil
		return out
	}
}

func groupFiles() map[string]string {
	return map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","alpha","beta","open"]},` +
			`"redirects":[{"source":"/moved/:page","destination":"/:page"},{"source":"/before","destination":"/moved/open"},` +
			`{"source":"/to-alpha","destination":"/alpha"},{"source":"/tool","destination":"https://internal.example.com/"}]}`,
		"index.mdx": "---\ntitle: Home\n---\nHello members.\n", "open.mdx": "---\ntitle: Open\npublic: true\n---\nFor everybody.\n",
		"alpha.mdx": "---\ntitle: canaryalpha\ngroups: [a]\n---\ncanaryalpha ![x](/img/alpha.png)\n", "img/alpha.png": "canaryalpha",
		"beta.mdx": "---\ntitle: canarybeta\ngroups: [b]\n---\ncanarybeta\n",
	}
}

func (s *stage) ask(t *testing.T, p project.Project, views ...reader.View) {
	t.Helper()
	for _, v := range views {
		if err := s.Store.Tx(t.Context(), func(tx *store.Tx) error { return tx.AskView(t.Context(), p.ID, v) }); err != nil {
			t.Fatal(err)
		}
	}
}

// check requests every kind of path as a reader with a view and looks for both groups' words.
func (s *stage) check(t *testing.T, host string, v reader.View, alpha, beta bool) {
	t.Helper()
	for word, want := range map[string]bool{"alpha": alpha, "beta": beta} {
		for _, path := range []string{"/" + word, "/" + word + ".md", "/llms.txt", "/llms-full.txt", "/sitemap.xml", "/open",
			"/_lectern/api/search?q=canary" + word} {
			r := s.get(t, host, path, "X-View", v.Key())
			text := body(t, r)
			// The sitemap contains only URLs.
			if got := strings.Contains(text, "canary"+word) || path == "/sitemap.xml" && strings.Contains(text, "/"+word); got != want {
				t.Errorf("%s: GET %s has the page of %s: %v, status %d", v, path, word, got, r.StatusCode)
			}
			if (path == "/"+word || path == "/"+word+".md") && (r.StatusCode == 200) != want {
				t.Errorf("%s: GET %s: %d", v, path, r.StatusCode)
			}
			if cache := r.Header.Get("Cache-Control"); strings.Contains(cache, "public") {
				t.Errorf("%s: GET %s may be stored by shared caches: %s", v, path, cache)
			}
		}
	}
	if r := s.get(t, host, "/img/alpha.png", "X-View", v.Key()); (r.StatusCode == 200) != alpha {
		t.Errorf("%s: the image of the page for a: %d", v, r.StatusCode)
	}
}

// C7: without a session, a public page can also be reached by its other paths: with a slash, with .html, or through
// redirects. Other redirects are not served, because their targets are not public.
func TestAlternativePathsOfPublicPagesArePublic(t *testing.T) {
	s, _ := newViewStage(t)
	p := s.protectedSite(t, "docs.example.com")
	s.ask(t, p, reader.View{Anonymous: true})
	s.publish(t, p, deploy.Production)
	for path, want := range map[string]string{"/open/": "/open", "/open.html": "/open", "/moved/open": "/open",
		"/before": "/moved/open", "/before?a=1": "/moved/open?a=1", "/moved/alpha": "", "/moved/none": "", "/to-alpha": "", "/alpha/": "",
		"/alpha.html": "", "/tool": "", "/none/": ""} {
		r := s.get(t, "docs.example.com", path, "X-View", reader.View{Anonymous: true}.Key())
		if got := r.Header.Get("Location"); got != want || (r.StatusCode == http.StatusUnauthorized) != (want == "") {
			t.Errorf("GET %s: %d %q, want %q", path, r.StatusCode, got, want)
		}
	}
}

// Public pages of a private site have a sign-in link, and nothing that sends requests which the server would refuse
// without a session; for signed-in readers' pages the reverse is true.
func TestPublicPagesHaveSignInLink(t *testing.T) {
	s, _ := newViewStage(t)
	s.offers = capability.Offers{Search: true, Assistant: capability.Assistant{On: true}, Analytics: capability.Analytics{On: true}}
	p := s.protectedSite(t, "docs.example.com")
	s.ask(t, p, reader.View{Anonymous: true}, reader.New("a"))
	s.publish(t, p, deploy.Production)
	for v, signedIn := range map[string]bool{reader.View{Anonymous: true}.Key(): false, "": true, reader.New("a").Key(): true} {
		for range 2 { // the second response is from the cache
			r := s.get(t, "docs.example.com", "/open", "X-View", v)
			text := body(t, r)
			if strings.Contains(text, `href="/login?next=%2Fopen"`) == signedIn {
				t.Errorf("view %q has a link to sign in: %v", v, signedIn)
			}
			for _, asks := range []string{capability.CountPath, capability.ThumbPath, `data-ask`} {
				if strings.Contains(text, asks) != signedIn {
					t.Errorf("view %q has %s: %v", v, asks, !signedIn)
				}
			}
			if offers := r.Header.Get("Server-Timing"); strings.Contains(offers, "lectern-search") != signedIn {
				t.Errorf("view %q: the server offers %q", v, offers)
			}
		}
		if r := s.get(t, "docs.example.com", "/.well-known/mcp/server-card.json", "X-View", v); v != "" && !signedIn && r.StatusCode == http.StatusOK {
			t.Error("an MCP server is offered to readers without access")
		}
	}
}

// C7: a reader gets what their groups may see, at every kind of path. Until that view is built, they get the largest
// built view that shows nothing beyond it.
func TestReadersGetViewForTheirGroups(t *testing.T) {
	s, asked := newViewStage(t)
	p := s.protectedSite(t, "docs.example.com")
	first := s.publish(t, p, deploy.Production)
	const host = "docs.example.com"
	s.check(t, host, reader.View{}, false, false)
	if got := asked(); got != "" {
		t.Errorf("readers in no group requested %s", got)
	}
	s.check(t, host, reader.New("other"), false, false)
	s.check(t, host, reader.New("a", "other"), false, false)
	if got := asked(); got != "groups=a" {
		t.Errorf("readers in a requested %q", got)
	}
	s.ask(t, p, reader.New("a"), reader.New("a", "b", "gone"), reader.View{Anonymous: true})
	s.publish(t, p, deploy.Production)
	for _, c := range []struct {
		view        reader.View
		alpha, beta bool
		asked       string
	}{
		{reader.View{}, false, false, ""}, {reader.New("a"), true, false, "use:groups=a"}, {reader.New("a", "x"), true, false, ""},
		{reader.New("a", "b"), true, true, "use:groups=a,b"}, {reader.New("b"), false, false, "groups=b"},
		{reader.View{Anonymous: true}, false, false, "use:anonymous"}, {reader.New("x"), false, false, ""},
	} {
		s.check(t, host, c.view, c.alpha, c.beta)
		if got := asked(); got != c.asked {
			t.Errorf("%s: requested %q, want %q", c.view, got, c.asked)
		}
	}
	open, home := s.get(t, host, "/open", "X-View", "anonymous"), s.get(t, host, "/index", "X-View", "anonymous")
	if open.StatusCode != 200 || strings.Contains(body(t, open), "Hello members") || strings.Contains(body(t, home), "Hello members") {
		t.Errorf("without signing in: %d and %d", open.StatusCode, home.StatusCode)
	}
	// The earlier version has no views: nobody sees more there.
	if err := s.Store.Tx(t.Context(), func(tx *store.Tx) error {
		now, err := tx.FindProject(t.Context(), p.OrganizationID, p.ID)
		if err == nil {
			_, err = tx.RollBack(t.Context(), now, first.ID, "mem_x")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s.check(t, host, reader.New("a", "b"), false, false)
	if r := s.get(t, host, "/open", "X-View", "anonymous"); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("without signing in, and without a view for that: %d", r.StatusCode)
	}
	if got := asked(); got != "anonymous groups=a,b" {
		t.Errorf("after the rollback readers requested %q", got)
	}
}

func TestPreviewsHaveProjectViews(t *testing.T) {
	s, asked := newViewStage(t)
	p := s.protectedSite(t, "docs.example.com")
	s.ask(t, p, reader.New("b"))
	d := s.publish(t, p, deploy.Preview)
	host := deploy.HostLabel(d.ID) + ".preview.localhost"
	s.check(t, host, reader.New("b"), false, true)
	s.check(t, host, reader.New("a"), false, false)
	if got := asked(); got != "" {
		t.Errorf("readers of a preview requested %q", got)
	}
}

// An older release, which does not know views, may have removed their manifests.
func TestMissingViewFallsBackToLargestOther(t *testing.T) {
	s, _ := newViewStage(t)
	p := s.protectedSite(t, "docs.example.com")
	s.ask(t, p, reader.New("a"), reader.New("a", "b"))
	d := s.publish(t, p, deploy.Production)
	m, err := publish.LoadManifest(t.Context(), s.Blob, d.ManifestKey)
	if err != nil || len(m.Views) != 2 || m.Views[1].View != "groups=a,b" {
		t.Fatalf("%+v, %v", m.Views, err)
	}
	if err := s.Blob.Delete(t.Context(), m.Views[1].Manifest); err != nil {
		t.Fatal(err)
	}
	s.check(t, "docs.example.com", reader.New("a", "b"), true, false)
}
