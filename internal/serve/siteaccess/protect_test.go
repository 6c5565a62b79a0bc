package siteaccess_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// surface has every kind of path that a site serves, each with a similar path that does not exist.
var surface = []struct{ method, path, missing, body string }{
	{"GET", "/", "/nothing", ""},
	{"GET", "/guides/canary-7c1", "/guides/nothing", ""},
	{"GET", "/guides/canary-7c1.md", "/guides/nothing.md", ""},
	{"GET", "/guides/canary-7c1.html", "/guides/nothing.html", ""},
	{"GET", "/old", "/older", ""},
	{"GET", "/llms.txt", "/none.txt", ""},
	{"GET", "/llms-full.txt", "/none-full.txt", ""},
	{"GET", "/.well-known/llms.txt", "/.well-known/none.txt", ""},
	{"GET", "/.well-known/skills/index.json", "/.well-known/none/index.json", ""},
	{"GET", "/skill.md", "/skills.md", ""},
	{"GET", "/sitemap.xml", "/sitemaps.xml", ""},
	{"GET", "/log/rss.xml", "/logs/rss.xml", ""},
	{"GET", "/logo.svg", "/logos.svg", ""},
	{"GET", "/_lectern/search/index.js", "/_lectern/search/none.js", ""},
	{"GET", "/_lectern/api/search?q=canary-7c1", "/_lectern/api/none?q=canary-7c1", ""},
	{"POST", "/_lectern/api/assistant", "/_lectern/api/none", `{"question":"canary"}`},
	{"POST", "/_lectern/api/request", "/_lectern/api/requests", `{}`},
	{"POST", "/_lectern/api/event", "/_lectern/api/events", `{}`},
	{"POST", "/mcp", "/mcps", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	{"GET", "/mcp", "/mcps", ""},
	{"OPTIONS", "/_lectern/api/assistant", "/_lectern/api/none", ""},
	{"DELETE", "/", "/nothing", ""},
	{"GET", "/.well-known/lectern-challenge/x", "/.well-known/other/x", ""},
}

var accepts = []string{"text/html,*/*;q=0.8", "application/json", "text/markdown", "text/event-stream", "*/*", ""}

// C7: without a session nothing on a protected site is served, for any kind of path, and existing paths get the same
// response as missing ones.
func TestProtectedSiteRevealsNothingToStrangers(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	if b := r.browser(); !b.reads("docs.example.com") {
		t.Fatal("the public site is not served")
	}
	for _, mode := range []access.Mode{access.Password, access.Organization, "a mode of a newer release"} {
		r.protect(p, mode)
		for _, c := range surface {
			for _, accept := range accepts {
				var got [2]string
				for i, path := range []string{c.path, c.missing} {
					a := r.browser().do(c.method, "https://docs.example.com"+path, c.body, "Accept", accept)
					name := fmt.Sprintf("%s: %s %s as %q", mode, c.method, path, accept)
					if strings.Contains(a.text+fmt.Sprint(a.Header), canary) && !strings.Contains(path, canary) ||
						strings.Contains(a.text, canary) {
						t.Errorf("%s shows content: %v %s", name, a.Header, a.text)
					}
					if a.StatusCode != http.StatusUnauthorized && (a.StatusCode != http.StatusSeeOther ||
						!strings.HasPrefix(a.Header.Get("Location"), "/login") || !strings.Contains(accept, "html")) {
						t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
					}
					wantPrivate(t, name, a)
					got[i] = fmt.Sprint(a.StatusCode, a.Header.Get("Content-Type"), a.Header.Get("Vary"), a.text)
				}
				if got[0] != got[1] {
					t.Errorf("%s %s as %q differs from a missing path:\n%s\n%s", c.method, c.path, accept, got[0],
						got[1])
				}
			}
		}
	}
}

func wantPrivate(t *testing.T, name string, a answer) {
	t.Helper()
	cache, vary := a.Header.Get("Cache-Control"), strings.Join(a.Header.Values("Vary"), ", ")
	if cache != "private, no-store" && cache != "private, no-cache" || !strings.Contains(vary, "Cookie") ||
		!strings.Contains(a.Header.Get("X-Robots-Tag"), "noindex") || a.Header.Get("Access-Control-Allow-Origin") != "" ||
		a.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" || a.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
	}
}

// C7: a signed-in reader gets everything, and no shared cache may store any of it.
func TestSignedInReaderGetsPrivateResponses(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	r.protect(p, access.Password)
	b := r.browser()
	b.signIn("docs.example.com", goodPassword, "/")
	for range 2 { // the second time from the host's cache
		for _, c := range surface {
			if c.method == "OPTIONS" || c.method == "DELETE" || strings.HasPrefix(c.path, "/.well-known/lectern") {
				continue
			}
			a := b.do(c.method, "https://docs.example.com"+c.path, c.body, "Accept", "application/json, text/event-stream",
				"Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
			if a.StatusCode == http.StatusUnauthorized || a.StatusCode == http.StatusSeeOther {
				t.Errorf("%s %s: %d %s", c.method, c.path, a.StatusCode, a.text)
			}
			wantPrivate(t, c.method+" "+c.path, a)
		}
	}
	first := b.page("https://docs.example.com/")
	again := b.do(http.MethodGet, "https://docs.example.com/", "", "Accept", "text/html", "If-None-Match",
		first.Header.Get("ETag"))
	if first.StatusCode != http.StatusOK || again.StatusCode != http.StatusNotModified {
		t.Errorf("%d, then %d", first.StatusCode, again.StatusCode)
	}
	wantPrivate(t, "304", again)
	stranger := r.browser().do(http.MethodGet, "https://docs.example.com/", "", "Accept", "text/html", "If-None-Match",
		first.Header.Get("ETag"))
	if stranger.StatusCode != http.StatusSeeOther {
		t.Errorf("a stranger with a page's ETag gets %d", stranger.StatusCode)
	}
}

// C7: search engines are kept out, with and without a session, and the site's own robots.txt is not served.
func TestRobotsAreKeptOut(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	if a := r.browser().page("https://docs.example.com/robots.txt"); !strings.Contains(a.text, "Sitemap") {
		t.Errorf("the public site: %s", a.text)
	}
	r.protect(p, access.Password)
	a := r.browser().page("https://docs.example.com/robots.txt")
	if a.StatusCode != http.StatusOK || a.text != "User-agent: *\nDisallow: /\n" {
		t.Errorf("%d %s", a.StatusCode, a.text)
	}
}

// Programs get a machine-readable body that says what to do.
func TestProgramsGetMachineReadableErrors(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	r.protect(p, access.Organization)
	b := r.browser()
	a := b.do(http.MethodPost, "https://docs.example.com/mcp", `{}`, "Accept", "application/json, text/event-stream")
	var body struct{ Error, Code, Hint string }
	if err := json.Unmarshal([]byte(a.text), &body); err != nil || body.Code != "sign_in_required" ||
		!strings.Contains(body.Hint, "discovery") || !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("%v %v %s", err, a.Header, a.text)
	}
	a = b.do(http.MethodGet, "https://docs.example.com/index.md", "", "Accept", "*/*")
	if a.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") ||
		!strings.Contains(a.text, "signed-in readers") {
		t.Errorf("%d %v %s", a.StatusCode, a.Header, a.text)
	}
	for _, dest := range []string{"image", "script", "empty", "iframe"} {
		if a := b.do(http.MethodGet, "https://docs.example.com/", "", "Accept", "text/html", "Sec-Fetch-Dest",
			dest); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("for %s: %d", dest, a.StatusCode)
		}
	}
	// Whatever a person opens in a window is redirected to the sign-in page, regardless of its file extension.
	for _, path := range []string{"/", "/guides/next.js", "/manual.pdf", "/index.md"} {
		a := b.page("https://docs.example.com" + path)
		if a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login") {
			t.Errorf("%s in a window: %d %v", path, a.StatusCode, a.Header)
		}
	}
}

// Previews of a protected project are protected in the same way, each with its own sessions.
func TestPreviewsAreProtected(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	preview := deploy.HostLabel(r.publish(p, deploy.Preview).ID) + ".preview.example"
	if !r.browser().reads(preview) {
		t.Fatal("the preview is not served")
	}
	r.protect(p, access.Password)
	b := r.browser()
	if b.reads(preview) || b.signIn("docs.example.com", goodPassword, "/").StatusCode != http.StatusSeeOther {
		t.Error("the preview is public, or readers cannot sign in to the site")
	}
	b.setSession(preview, b.session("docs.example.com"))
	if b.reads(preview) {
		t.Error("the site's session is valid on its preview")
	}
	if b.signIn(preview, goodPassword, "/"); !b.reads(preview) || !b.reads("docs.example.com") {
		t.Error("the password does not open the preview")
	}
}

// C7: while the database does not respond, a protected site shows nothing.
func TestProtectedSiteShowsNothingDuringOutage(t *testing.T) {
	r := newRig(t)
	p, _ := r.site("docs.example.com", deploy.Production)
	r.protect(p, access.Password)
	b := r.browser()
	b.signIn("docs.example.com", goodPassword, "/")
	if !b.reads("docs.example.com") {
		t.Fatal("not signed in")
	}
	r.ok(r.Store.Close())
	if a := b.page("https://docs.example.com/"); a.StatusCode < 500 || strings.Contains(a.text, canary) {
		t.Errorf("%d %s", a.StatusCode, a.text)
	}
}
