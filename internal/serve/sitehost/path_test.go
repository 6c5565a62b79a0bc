package sitehost_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// at publishes a site at the given domains; its pages contain mark.
func (s *stage) at(t *testing.T, mark string, domains ...string) project.Project {
	t.Helper()
	p := s.Project(t, domains[0], project.Source{Path: worktest.Write(t, siteFiles(mark))})
	if len(domains) > 1 {
		p = s.move(t, p, domains...)
	}
	s.publish(t, p, deploy.Production)
	return p
}

// move gives a project different domains, without publishing it again.
func (s *stage) move(t *testing.T, p project.Project, domains ...string) project.Project {
	t.Helper()
	p.Domains = domains
	if err := s.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.UpdateProject(t.Context(), p)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return p
}

// want compares responses for a host's paths: "status text", where text is the redirect target or a part of the page.
func (s *stage) want(t *testing.T, host string, answers map[string]string) {
	t.Helper()
	for path, want := range answers {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://x/", nil)
		r.Host, r.RequestURI = host, path
		u, err := url.ParseRequestURI(path) // as net/http's server parses it
		if err != nil {
			t.Fatal(err)
		}
		r.URL = u
		res := s.do(r)
		got := fmt.Sprint(res.StatusCode, " ", res.Header.Get("Location"))
		if res.StatusCode == http.StatusOK {
			got = "200 " + regexp.MustCompile(`mark-\w+`).FindString(body(t, res))
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s%s: %s, want %s", host, path, got, want)
		}
	}
}

func TestLongestMatchingPathWins(t *testing.T) {
	s := newStage(t)
	s.at(t, "docs", "example.com/docs")
	s.want(t, "example.com", map[string]string{
		"/docs/": "200 mark-docs", "/docs/guides/start": "200 mark-docs", "/docs": "308 /docs/", "/docs?a=1&b": "308 /docs/?a=1&b",
		"/docs/old?a=b": "308 /docs/guides/start?a=b", "/docs/was/start": "307 /docs/guides/start",
		"/docs/guides/start/": "308 /docs/guides/start", "/docs/guides/start.html": "308 /docs/guides/start",
		"/docs/index": "308 /docs/", "/docs/nowhere": "404", "/docs//evil.example": "404", "/docs//guides/start": "200 mark-docs",
		"/": "404", "/docsx": "404", "/Docs/": "404", "/DOCS": "404", "//docs/": "404", "/docs%2Fguides/start": "404", "/%64ocs/": "404",
		"/x/../docs/": "404", "/guides/start": "404", "/v1/projects": "404", "/dashboard": "404", "/.well-known/lectern-challenge/x": "404",
	})
	s.want(t, "EXAMPLE.com:8443", map[string]string{"/docs/": "200 mark-docs"})
	s.at(t, "api", "example.com/docs/api")
	s.at(t, "manual", "example.com/docs-manual")
	s.want(t, "example.com", map[string]string{"/docs/": "200 mark-docs", "/docs/api/": "200 mark-api", "/docs/api": "308 /docs/api/",
		"/docs/apis": "404", "/docs-manual/guides/start": "200 mark-manual", "/": "404", "/docs%2Fapi/": "404"})
	s.at(t, "root", "example.com")
	s.want(t, "example.com", map[string]string{"/docs/guides/start": "200 mark-docs", "/docs/api/guides/start": "200 mark-api",
		"/": "200 mark-root", "/guides/start": "200 mark-root", "/Docs": "404", "/docs": "308 /docs/", "/old": "308 /guides/start"})
	if r := s.get(t, "www.example.com", "/docs/"); r.StatusCode != http.StatusTeapot {
		t.Errorf("another host: %d", r.StatusCode)
	}
}

// Every URL in responses to readers, browsers and programs contains the path, so that nothing leads to the host's
// other paths.
func TestResponsesIncludeSitePath(t *testing.T) {
	s := newStage(t)
	s.offers = capability.Offers{Search: true, Assistant: capability.Assistant{On: true}, Analytics: capability.Analytics{On: true}}
	s.at(t, "docs", "example.com/docs")
	outside := regexp.MustCompile(` (?:href|src|srcset|action|data-(?:root|api|count|engine|feedback|index|nearest))="(/[^"]*)"|url\((/[^)]*)\)`)
	for _, path := range []string{"/docs/", "/docs/guides/start", "/docs/404"} {
		html := body(t, s.get(t, "example.com", path))
		for _, m := range outside.FindAllStringSubmatch(html, -1) {
			if to := m[1] + m[2]; !strings.HasPrefix(to, "/docs/") {
				t.Errorf("%s leads to %s", path, m[0])
			}
		}
		if !strings.Contains(html, `<link rel="stylesheet" href="/docs/_lectern/`) || !strings.Contains(html, `href="/docs/guides/start"`) {
			t.Errorf("%s has no links below the path: %s", path, html)
		}
	}
	r := s.get(t, "example.com", "/docs/guides/start")
	html := body(t, r)
	if !strings.Contains(html, `<link rel="canonical" href="https://example.com/docs/guides/start"`) {
		t.Error("the canonical link lacks the path")
	}
	for _, asset := range regexp.MustCompile(`(?:href|src)="(/docs/_lectern/[^"]*)"`).FindAllStringSubmatch(html, -1) {
		if got := s.get(t, "example.com", asset[1]); got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", asset[1], got.StatusCode)
		}
	}
	if got := r.Header.Get("Link"); !strings.Contains(got, "</docs/llms.txt>") || strings.Contains(got, "</llms") {
		t.Errorf("Link: %s", got)
	}
	if got := r.Header.Get("X-Llms-Txt"); got != "/docs/llms.txt" {
		t.Errorf("X-Llms-Txt: %s", got)
	}
	text := s.get(t, "example.com", "/docs/guides/start", "Accept", "text/markdown")
	if got := text.Header.Get("Content-Location"); got != "/docs/guides/start.md" {
		t.Errorf("Content-Location: %s", got)
	}
	if got := text.Header.Get("Link"); !strings.Contains(got, `<https://example.com/docs/guides/start>; rel="canonical"`) {
		t.Errorf("Link of the Markdown format: %s", got)
	}
	lost := body(t, s.get(t, "example.com", "/docs/nowhere", "Accept", "text/markdown"))
	if !strings.Contains(lost, "[/docs/llms.txt](/docs/llms.txt)") {
		t.Errorf("a missing page in Markdown: %s", lost)
	}
	for path, want := range map[string]string{"/docs/sitemap.xml": "<loc>https://example.com/docs/guides/start</loc>",
		"/docs/llms.txt": "https://example.com/docs/guides/start.md", "/docs/robots.txt": "https://example.com/docs/sitemap.xml"} {
		if got := body(t, s.get(t, "example.com", path)); !strings.Contains(got, want) || strings.Contains(got, "docs/docs") {
			t.Errorf("%s lacks %s: %s", path, want, got)
		}
	}
	if r := s.get(t, "example.com", "/docs/"); r.Header.Get("Strict-Transport-Security") != "" {
		t.Error("the site acts for the whole host")
	}
}

// Another organization cannot add a path to the host of someone else's site, and nothing is served before the domain
// is proven.
func TestHostBelongsToOneOrganization(t *testing.T) {
	s := newStage(t)
	s.at(t, "docs", "corp.test/docs")
	var other account.Organization
	tx := func(do func(*store.Tx) error) error { return s.Store.Tx(t.Context(), do) }
	if err := tx(func(tx *store.Tx) (err error) {
		other, err = tx.CreateOrganization(t.Context(), "other", account.PlanPro)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	claim := func(domain string) error {
		return tx(func(tx *store.Tx) error {
			_, err := tx.CreateProject(t.Context(), project.Project{OrganizationID: other.ID, Name: "x", Domains: []string{domain}})
			return err
		})
	}
	for _, domain := range []string{"corp.test/docs/api", "corp.test/login2", "corp.test"} {
		if err := claim(domain); err == nil {
			t.Errorf("%s was given to another organization", domain)
		}
	}
	if err := claim("elsewhere.test/docs"); err != nil {
		t.Fatal(err)
	}
	if r := s.get(t, "elsewhere.test", "/docs/"); r.StatusCode != http.StatusTeapot {
		t.Errorf("a pending domain returns %d", r.StatusCode)
	}
}

// Pages are built for one path. Readers at another path are redirected there, or must wait until the site is
// published again.
func TestSiteIsServedOnlyAtItsBuildPath(t *testing.T) {
	s := newStage(t)
	p := s.at(t, "one", "docs.example.com")
	p = s.move(t, p, "docs.example.com", "example.com/docs")
	s.want(t, "example.com", map[string]string{"/docs/guides/start?a=1": "307 https://docs.example.com/guides/start?a=1",
		"/docs//evil.example": "307 https://docs.example.com//evil.example"})
	p = s.move(t, p, "example.com/docs", "docs.example.com") // the next version is for the path
	s.want(t, "docs.example.com", map[string]string{"/guides/start": "200 mark-one"})
	s.publish(t, p, deploy.Production)
	s.want(t, "docs.example.com", map[string]string{"/guides/start?a=1": "307 https://example.com/docs/guides/start?a=1"})
	s.want(t, "example.com", map[string]string{"/docs/guides/start": "200 mark-one"})
	p = s.move(t, p, "example.com/handbook")
	s.want(t, "example.com", map[string]string{"/docs/": "404", "/handbook/": "503"})
	s.publish(t, p, deploy.Production)
	s.want(t, "example.com", map[string]string{"/docs/": "404", "/handbook/guides/start": "200 mark-one"})
}

func TestPreviewOfSiteBelowPathHasItsOwnHost(t *testing.T) {
	s := newStage(t)
	p := s.at(t, "one", "example.com/docs")
	d := s.publish(t, p, deploy.Preview)
	host := deploy.HostLabel(d.ID) + ".preview.localhost"
	s.want(t, host, map[string]string{"/": "200 mark-one", "/guides/start": "200 mark-one", "/docs/": "404"})
	if html := body(t, s.get(t, host, "/")); !strings.Contains(html, `href="/guides/start"`) ||
		!strings.Contains(html, `<link rel="canonical" href="https://example.com/docs/"`) {
		t.Errorf("the preview's first page is %s", html)
	}
}

// A proxy that cannot pass on the Host header sends the reader's host in another header. That header is accepted only
// from trusted proxies, and only if the request's own host has no site.
func TestForwardedHostFindsTheSite(t *testing.T) {
	s := newStage(t)
	s.at(t, "docs", "example.com/docs")
	s.at(t, "own", "own.example.com")
	proxies := auth.Proxies{netip.MustParsePrefix("192.0.2.0/24")}
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, CacheBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler),
		Now: time.Now, Forwarded: proxies.ForwardedHost})
	handler := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	for name, c := range map[string]struct{ from, host, path, want string }{
		"a trusted proxy":  {"192.0.2.1:1", "origin.example.net", "/docs/", "mark-docs"},
		"anybody":          {"203.0.113.1:1", "origin.example.net", "/docs/", ""},
		"a site's own":     {"192.0.2.1:1", "own.example.com", "/", "mark-own"},
		"not below a path": {"192.0.2.1:1", "origin.example.net", "/", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+c.host+c.path, nil)
		r.RemoteAddr = c.from
		r.Header.Set("X-Forwarded-Host", "example.com")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got := w.Body.String(); c.want == "" && w.Code != http.StatusNotFound || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s", name, w.Code, got)
		}
	}
}

// counted counts database lookups.
type counted struct {
	sitehost.Sites
	n int
}

func (c *counted) ListLive(ctx context.Context, host string) ([]store.Live, error) {
	c.n++
	return c.Sites.ListLive(ctx, host)
}

// However many sites and paths a host has, finding its pages takes one database lookup per caching interval.
func TestPathsNeedNoAdditionalLookup(t *testing.T) {
	s := newStage(t)
	for _, domain := range []string{"example.com", "example.com/docs", "example.com/docs/api"} {
		s.at(t, "x", domain)
	}
	sites, now := &counted{Sites: s.Store}, time.Now()
	host := sitehost.New(sitehost.Options{Sites: sites, Blob: s.Blob, CacheBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }})
	handler := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	for _, path := range []string{"/", "/docs/", "/docs/guides/start", "/docs/api/", "/nowhere", "/docs/api/nowhere", "/docs"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://example.com"+path, nil))
	}
	if sites.n != 1 {
		t.Errorf("%d lookups", sites.n)
	}
}
