package sitehost_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func siteFiles(mark string) map[string]string {
	return map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","guides/start"]},
			"redirects":[{"source":"/old","destination":"/guides/start"},{"source":"/was/:slug*","destination":"/guides/:slug*","permanent":false}]}`,
		"index.mdx": "---\ntitle: Home\n---\nmark-" + mark + "\n\nThe end: mark-" + mark + "\n",
		"guides/start.mdx": "---\ntitle: Start\n---\nmark-" + mark + " Begin here. " + strings.Repeat("word ", 400) +
			"The end: mark-" + mark + "\n",
		"logo.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
	}
}

// stage is a host with a test environment. Its clock advances with each request, so that nothing is cached.
type stage struct {
	*worktest.Env
	handler http.Handler
	offers  capability.Offers // offers of published sites
	mu      sync.Mutex
	ahead   time.Duration
}

func newStage(t *testing.T) *stage {
	s := &stage{Env: worktest.New(t)}
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, PreviewDomain: "preview.localhost",
		CacheBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ahead += time.Second
			return time.Now().Add(s.ahead)
		}})
	s.handler = host.Route(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}),
		func(sites http.Handler) http.Handler { return sites })
	return s
}

func (s *stage) publish(t *testing.T, p project.Project, kind deploy.Kind) deploy.Deployment {
	t.Helper()
	d := s.QueueDeployment(t, p, kind, "")
	pub := &publish.Publisher{Store: s.Store, Blob: s.Blob, Source: s.Source, Scratch: s.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: s.Now, Offers: s.offers}
	if err := pub.Run(t.Context(), s.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := s.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil || d.Status != deploy.Success {
		t.Fatalf("%+v %v", d, err)
	}
	return d
}

func (s *stage) get(t *testing.T, host, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+path, nil)
	return s.do(r, headers...)
}

func (s *stage) do(r *http.Request, headers ...string) *http.Response {
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestSiteIsServedOnItsDomains(t *testing.T) {
	s := newStage(t)
	p := s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	if r := s.get(t, "docs.example.com", "/"); r.StatusCode != http.StatusServiceUnavailable ||
		r.Header.Get("Retry-After") == "" {
		t.Errorf("before the first publish: %d", r.StatusCode)
	}
	s.publish(t, p, deploy.Production)
	for path, want := range map[string]struct {
		status   int
		location string
	}{
		"/": {200, ""}, "/guides/start": {200, ""}, "/guides/start.md": {200, ""}, "/sitemap.xml": {200, ""},
		"/guides/start.html": {308, "/guides/start"}, "/guides/start/": {308, "/guides/start"}, "/index": {308, "/"},
		"/old": {308, "/guides/start"}, "/old?a=b": {308, "/guides/start?a=b"}, "/was/start": {307, "/guides/start"},
		"/nowhere": {404, ""}, "/../../etc/passwd": {404, ""}, "/404": {200, ""},
	} {
		r := s.get(t, "docs.example.com:8080", path)
		if r.StatusCode != want.status || r.Header.Get("Location") != want.location {
			t.Errorf("%s: %d %q", path, r.StatusCode, r.Header.Get("Location"))
		}
	}
	if html := body(t, s.get(t, "DOCS.example.com.", "/guides/start")); !strings.Contains(html, "mark-one") {
		t.Error("the page is missing for another spelling of its host")
	}
	if html := body(t, s.get(t, "docs.example.com", "/nowhere")); !strings.Contains(html, "<html") {
		t.Error("404 is not the site's own page")
	}
}

// A page's name may contain characters that are special in a URL; redirects to the page must escape them.
func TestRedirectsToOddlyNamedPagesWork(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	for _, name := range []string{"a b", "q?x", "h#x", "p%2fx"} {
		files[name+".mdx"] = "---\ntitle: Odd\n---\npage-" + name + "-end\n"
	}
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	for from, to := range map[string]string{"/a%20b.html": "/a%20b", "/q%3Fx/": "/q%3Fx",
		"/h%23x.html?n=1": "/h%23x?n=1", "/p%252fx/": "/p%252fx"} {
		r := s.get(t, "docs.example.com", from)
		if r.StatusCode != 308 || r.Header.Get("Location") != to {
			t.Errorf("%s: %d %q", from, r.StatusCode, r.Header.Get("Location"))
			continue
		}
		if html := body(t, s.get(t, "docs.example.com", to)); !strings.Contains(html, "-end") {
			t.Errorf("%s does not exist", to)
		}
	}
}

func TestOtherHostsAreHandledByNextHandler(t *testing.T) {
	s := newStage(t)
	for _, host := range []string{"localhost", "127.0.0.1:8080", "[::1]:8080", "other.example.com"} {
		if r := s.get(t, host, "/"); r.StatusCode != http.StatusTeapot {
			t.Errorf("%s: %d", host, r.StatusCode)
		}
	}
}

func TestValidatorsCompressionAndCacheHeaders(t *testing.T) {
	s := newStage(t)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}),
		deploy.Production)
	plain := s.get(t, "docs.example.com", "/guides/start")
	etag := plain.Header.Get("ETag")
	if etag == "" || strings.Join(plain.Header.Values("Vary"), ", ") != "Accept, Accept-Encoding" ||
		!strings.Contains(plain.Header.Get("Cache-Control"), "must-revalidate") {
		t.Errorf("headers: %v", plain.Header)
	}
	if r := s.get(t, "docs.example.com", "/guides/start", "If-None-Match",
		etag); r.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: %d", r.StatusCode)
	}
	packed := s.get(t, "docs.example.com", "/guides/start", "Accept-Encoding", "br, gzip;q=0.5")
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("ETag") == etag {
		t.Fatalf("headers: %v", packed.Header)
	}
	zr, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := io.ReadAll(zr); err != nil || string(raw) != body(t, plain) {
		t.Errorf("the compressed page differs: %v", err)
	}
	if r := s.get(t, "docs.example.com", "/guides/start", "Accept-Encoding",
		"gzip;q=0"); r.Header.Get("Content-Encoding") != "" {
		t.Error("gzip was sent although it was refused")
	}
	if r := s.do(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://docs.example.com/",
		nil)); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") == "" {
		t.Errorf("POST: %d", r.StatusCode)
	}
	if r := s.do(httptest.NewRequestWithContext(t.Context(), http.MethodHead, "http://docs.example.com/nowhere",
		nil)); r.StatusCode != http.StatusNotFound || body(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
}

// C4, C5: pages need no inline script or style, and an author's image cannot act as a page.
func TestContentPoliciesBlockInlineCode(t *testing.T) {
	s := newStage(t)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}), deploy.Production)
	for _, path := range []string{"/", "/nowhere", "/old"} {
		csp := s.get(t, "docs.example.com", path).Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %q", path, csp)
		}
	}
	r := s.get(t, "docs.example.com", "/logo.svg")
	if csp := r.Header.Get("Content-Security-Policy"); r.StatusCode != 200 || !strings.HasPrefix(csp, "sandbox;") ||
		r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("svg: %d %q", r.StatusCode, csp)
	}
}

// C3: one site's files cannot be requested on another's domain.
func TestSitesAreSeparate(t *testing.T) {
	s := newStage(t)
	a := s.Project(t, "a.example.com", project.Source{Path: worktest.Write(t, siteFiles("secret-of-a"))})
	b := s.Project(t, "b.example.com",
		project.Source{Path: worktest.Write(t,
			map[string]string{
				"docs.json": `{"name":"B","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`, "index.mdx": "# B\n"})})
	d := s.publish(t, a, deploy.Production)
	s.publish(t, b, deploy.Production)
	for _, path := range []string{"/guides/start", "/logo.svg", "/" + d.ManifestKey, "/sites/" + a.ID + "/files",
		"//a.example.com/guides/start"} {
		if r := s.get(t, "b.example.com", path); r.StatusCode != http.StatusNotFound ||
			strings.Contains(body(t, r), "secret-of-a") {
			t.Errorf("%s on b: %d", path, r.StatusCode)
		}
	}
}

// C9: a preview is served on its own host, and nothing else is served below the preview domain.
func TestPreviewHasItsOwnHost(t *testing.T) {
	s := newStage(t)
	p := s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("draft"))})
	d := s.publish(t, p, deploy.Preview)
	r := s.get(t, deploy.HostLabel(d.ID)+".preview.localhost:8080", "/")
	if r.StatusCode != 200 || r.Header.Get("X-Robots-Tag") != "noindex" || !strings.Contains(body(t, r), "mark-draft") {
		t.Errorf("preview: %d", r.StatusCode)
	}
	live := s.publish(t, p, deploy.Production)
	for _, label := range []string{deploy.HostLabel(live.ID), "dep-x", "a.b"} { // neither a site nor anything else (C9)
		if r := s.get(t, label+".preview.localhost", "/"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", label, r.StatusCode)
		}
	}
}

// D4: while versions change, a reader gets complete responses from either the old or the new site, and never from the
// old one after the new one.
func TestReadersNeverSeeMixedVersions(t *testing.T) {
	s := newStage(t)
	dir := worktest.Write(t, siteFiles("0"))
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	s.publish(t, p, deploy.Production)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := "mark-0"
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, path := range []string{"/", "/guides/start"} {
					seen, err := s.version(path)
					if err != nil || seen < last {
						t.Errorf("%s: %s after %s, error %v", path, seen, last, err)
						return
					}
					last = seen
				}
			}
		})
	}
	for _, mark := range []string{"1", "2", "3"} {
		worktest.Rewrite(t, dir, siteFiles(mark))
		s.publish(t, p, deploy.Production)
		if html := body(t, s.get(t, "docs.example.com", "/")); !strings.Contains(html, "mark-"+mark) {
			t.Errorf("version %s is not live", mark)
		}
	}
	close(stop)
	wg.Wait()
}

var marks = regexp.MustCompile(`mark-\d`)

// version reads a page, which must be complete and from one version, and returns the version.
func (s *stage) version(path string) (string, error) {
	r := s.do(httptest.NewRequest(http.MethodGet, "http://docs.example.com"+path, nil))
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	found := marks.FindAllString(string(raw), -1)
	if r.StatusCode != http.StatusOK || len(found) < 2 || len(slices.Compact(slices.Clone(found))) != 1 ||
		!strings.HasSuffix(strings.TrimSpace(string(raw)), "</html>") {
		return "", fmt.Errorf("status %d, %d bytes, %v", r.StatusCode, len(raw), found)
	}
	return found[0], nil
}
