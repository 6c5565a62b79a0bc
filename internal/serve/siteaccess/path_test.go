package siteaccess_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// Signing in to a site below a path of a host stays below that path, whatever the form contains, and its cookies are
// not sent to the host's other paths.
func TestSignInStaysBelowSitePath(t *testing.T) {
	r := newRig(t)
	docs, _ := r.site("shared.example.com/docs", deploy.Production)
	api, _ := r.site("shared.example.com/docs/api", deploy.Production)
	root, _ := r.site("shared.example.com", deploy.Production)
	r.protect(docs, access.Password)
	r.protect(api, access.Password)
	const at = "shared.example.com/docs"
	b := r.browser()
	sent := b.page("https://" + at + "/guides/canary-7c1?x=1")
	if got := sent.Header.Get("Location"); got != "/docs/login?next=%2Fguides%2Fcanary-7c1%3Fx%3D1" {
		t.Errorf("a stranger is sent to %s", got)
	}
	form := b.page("https://shared.example.com" + sent.Header.Get("Location"))
	for _, want := range []string{`action="/docs/login"`, `value="/guides/canary-7c1?x=1"`, `href="/docs/login/member?next=`} {
		if !strings.Contains(form.text, want) {
			t.Errorf("the form lacks %s: %s", want, form.text)
		}
	}
	if form.Header.Get("Strict-Transport-Security") != "" {
		t.Error("a site below a path acts for the whole host")
	}
	for next, want := range map[string]string{
		"/guides/canary-7c1": "/docs/guides/canary-7c1", "//evil.example": "/docs/", `/\evil.example`: "/docs/", "/../admin": "/docs/",
		"/x/%2e%2e/%2e%2e/admin": "/docs/", "https://evil.example/": "/docs/", "/docs/../../admin": "/docs/", "/..": "/docs/",
		"/login": "/docs/", "": "/docs/",
	} {
		fresh := r.browser()
		in := fresh.signIn(at, goodPassword, next)
		if got := in.Header.Get("Location"); in.StatusCode != http.StatusSeeOther || got != want {
			t.Errorf("after a sign-in with next=%q: %d %s, want %s", next, in.StatusCode, got, want)
		}
		for _, cookie := range in.Header.Values("Set-Cookie") {
			if !strings.HasPrefix(cookie, "__Secure-lectern-") || !strings.Contains(cookie, "; Path=/docs/") {
				t.Errorf("a cookie for the rest of the host: %s", cookie)
			}
		}
	}
	b.signIn(at, goodPassword, "/")
	if !b.reads(at) {
		t.Error("the session is not valid")
	}
	if b.reads("shared.example.com/docs/api") { // another site, with a longer path
		t.Error("the session is valid on the site below")
	}
	if len(b.cookies("shared.example.com")) > 0 {
		t.Errorf("the rest of the host gets %v", b.cookies("shared.example.com"))
	}
	if !b.reads("shared.example.com") {
		t.Error("the public site at the root of the host cannot be read")
	}
	r.protect(root, access.Password)
	if b.reads("shared.example.com") {
		t.Error("the session is valid on the site above")
	}
	out := b.do(http.MethodPost, "https://"+at+"/logout", "", "Sec-Fetch-Site", "same-origin")
	if got := out.Header.Get("Location"); got != "/docs/login" || b.reads(at) {
		t.Errorf("signed out to %s", got)
	}
}

// A member is sent to the dashboard and returns below the site's path. A code for one path is invalid at all others.
func TestMemberSignInStaysBelowSitePath(t *testing.T) {
	r := newRig(t)
	docs, _ := r.site("shared.example.com/docs", deploy.Production)
	other, _ := r.site("shared.example.com/handbook", deploy.Production)
	r.protect(docs, access.Organization)
	r.protect(other, access.Organization)
	who, b := r.member("reader@example.com", r.Organization.ID), r.browser()
	back := r.handOff(who, b.begin("shared.example.com/docs", "/log"))
	if !strings.HasPrefix(back, "https://shared.example.com/docs/login/member/return?code=") {
		t.Fatalf("the member is sent to %s", back)
	}
	b.begin("shared.example.com/handbook", "/log")
	to, err := url.Parse(back)
	r.ok(err)
	to.Path = "/handbook/login/member/return"
	if a := b.page(to.String()); a.StatusCode == http.StatusSeeOther || b.reads("shared.example.com/handbook") {
		t.Errorf("another path's code is accepted: %d %v", a.StatusCode, a.Header)
	}
	if a := b.page(back); a.Header.Get("Location") != "/docs/log" || !b.reads("shared.example.com/docs") {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
}
