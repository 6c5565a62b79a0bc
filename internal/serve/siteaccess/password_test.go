package siteaccess_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/store"
)

const host = "docs.example.com"

func TestReaderCanSignInWithPassword(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	b := r.browser()
	sent := b.page("https://" + host + "/guides/canary-7c1?x=1#here")
	if sent.Header.Get("Location") != "/login?next=%2Fguides%2Fcanary-7c1%3Fx%3D1" {
		t.Errorf("%v", sent.Header)
	}
	form := b.page("https://" + host + sent.Header.Get("Location"))
	for _, want := range []string{"Acme &lt;Docs&gt;", `value="/guides/canary-7c1?x=1"`, `name="password"`, "--button:#112233",
		`action="/login"`} {
		if !strings.Contains(form.text, want) {
			t.Errorf("the page lacks %s: %s", want, form.text)
		}
	}
	if strings.Contains(form.text, "<script") || strings.Contains(form.text, canary+" ") ||
		!strings.Contains(form.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%v %s", form.Header, form.text)
	}
	wantPrivate(t, "the sign-in page", form)
	wrong := b.signIn(host, "not it at all", "/guides/canary-7c1")
	if wrong.StatusCode != http.StatusUnauthorized || !strings.Contains(wrong.text, "password is wrong") ||
		!strings.Contains(wrong.text, `value="/guides/canary-7c1"`) || b.session(host) != "" {
		t.Errorf("%d %s", wrong.StatusCode, wrong.text)
	}
	right := b.signIn(host, goodPassword, "/guides/canary-7c1?x=1")
	cookie := right.Header.Get("Set-Cookie")
	if right.StatusCode != http.StatusSeeOther || right.Header.Get("Location") != "/guides/canary-7c1?x=1" {
		t.Errorf("%d %v", right.StatusCode, right.Header)
	}
	for _, want := range []string{"__Host-lectern-reader=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age="} {
		if !strings.Contains(cookie, want) || strings.Contains(cookie, "Domain") {
			t.Errorf("the cookie lacks %s: %s", want, cookie)
		}
	}
	if !b.reads(host) {
		t.Error("the session is not valid")
	}
	if a := b.page("https://" + host + "/login?next=/log"); a.Header.Get("Location") != "/log" {
		t.Errorf("the sign-in page for a reader who is signed in: %d %v", a.StatusCode, a.Header)
	}
	if text := r.log.String(); strings.Contains(text, goodPassword) || strings.Contains(text, "not it at all") ||
		strings.Contains(text, b.session(host)) {
		t.Errorf("the log contains a secret: %s", text)
	}
}

// A site's endpoints get the reader's identity.
func TestEndpointsGetReaderIdentity(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	if who := siteapi.ReaderOf(httptest.NewRequest(http.MethodGet, "/", nil)); !who.Anonymous {
		t.Errorf("%+v", who)
	}
	r.protect(p, access.Password)
	b := r.browser()
	b.signIn(host, goodPassword, "/")
	b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
	if r.reader.Anonymous || r.reader.Subject != "" || len(r.reader.Groups) != 0 {
		t.Errorf("%+v", r.reader)
	}
}

// K10: a session planted in a browser is not the one used after signing in.
func TestSignInReplacesPlantedSession(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	attacker, victim := r.browser(), r.browser()
	attacker.signIn(host, goodPassword, "/")
	planted := attacker.session(host)
	victim.setSession(host, planted)
	victim.signIn(host, goodPassword, "/")
	if victim.session(host) == planted || !victim.reads(host) {
		t.Error("the session is the planted one, or is not valid")
	}
	if attacker.reads(host) {
		t.Error("the planted session is still valid")
	}
	invented := r.browser()
	invented.setSession(host, account.NewToken(rand.Reader))
	if invented.reads(host) {
		t.Error("an invented session is valid")
	}
	invented.setSession(host, account.TokenHash(victim.session(host)))
	if invented.reads(host) {
		t.Error("the stored hash is accepted as a session")
	}
}

// C7: one site's cookie is invalid on other sites, of the same organization or not, and on other domains of the same
// site.
func TestSessionIsValidOnlyOnItsOwnSite(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	r.protect(p, access.Password)
	r.protect(other, access.Password)
	r.tx(func(tx *store.Tx) error {
		p.Domains = append(p.Domains, "second.example.com")
		_, err := tx.UpdateProject(t.Context(), p)
		return err
	})
	b := r.browser()
	b.signIn(host, goodPassword, "/")
	for _, elsewhere := range []string{"other.example.com", "second.example.com"} {
		b.setSession(elsewhere, b.session(host))
		if b.reads(elsewhere) {
			t.Errorf("the session is valid on %s", elsewhere)
		}
		b.signIn(elsewhere, goodPassword, "/")
		if !b.reads(elsewhere) {
			t.Errorf("no session on %s", elsewhere)
		}
	}
	if !b.reads(host) {
		t.Error("the first session has ended")
	}
}

// K10: sessions end at their limits, on sign-out, with every change of the settings, and when an operator ends them.
func TestReaderSessionsEnd(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	enter := func() *browser {
		b := r.browser()
		if b.signIn(host, goodPassword, "/"); !b.reads(host) {
			t.Fatal("no session")
		}
		return b
	}
	r.protect(p, access.Password)
	b := enter()
	r.Advance(r.limits.Idle + time.Second)
	if b.reads(host) {
		t.Error("the session is valid after the idle limit")
	}
	b = enter()
	for range 9 { // in use all the time
		r.Advance(r.limits.Idle - time.Minute)
		b.page("https://" + host + "/")
	}
	if b.reads(host) {
		t.Error("the session is valid after the absolute limit")
	}
	b = enter()
	token := b.session(host)
	if a := b.do(http.MethodPost, "https://"+host+"/logout", "", "Sec-Fetch-Site", "cross-site", "Origin",
		"https://evil.example"); a.StatusCode != http.StatusForbidden || !b.reads(host) {
		t.Errorf("another site signs readers out: %d", a.StatusCode)
	}
	if a := b.page("https://" + host + "/logout"); a.StatusCode != http.StatusOK || !b.reads(host) {
		t.Errorf("a GET of the page signs out: %d", a.StatusCode)
	}
	a := b.do(http.MethodPost, "https://"+host+"/logout", "", "Sec-Fetch-Site", "same-origin")
	if a.StatusCode != http.StatusSeeOther || b.session(host) != "" || a.Header.Get("Clear-Site-Data") != `"cache"` {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	if b.setSession(host, token); b.reads(host) {
		t.Error("the session is valid after signing out")
	}
	b = enter()
	r.protect(p, access.Password) // the same password again
	if b.reads(host) {
		t.Error("the session is valid after a change")
	}
	b = enter()
	r.tx(func(tx *store.Tx) error { _, err := tx.EndReaderSessions(t.Context(), p.ID); return err })
	if b.reads(host) {
		t.Error("the session is valid after the operator ended all sessions")
	}
	b = enter()
	r.protect(p, access.Organization)
	if b.reads(host) {
		t.Error("the session is valid after a change of the mode")
	}
	if a := b.signIn(host, goodPassword, "/"); a.StatusCode == http.StatusSeeOther {
		t.Errorf("the password is accepted in another mode: %d", a.StatusCode)
	}
	if r.protect(p, access.Public); !r.browser().reads(host) {
		t.Error("the site did not become public again")
	}
}

// Servers with the same database share sessions, limits and changes.
func TestServersShareReaderSessions(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	second, err := store.Open(t.Context(), store.Options{URL: r.database, Now: r.Now, IDs: id.Source{Rand: rand.Reader}})
	r.ok(err)
	t.Cleanup(func() { _ = second.Close() })
	there := r.browserAt(r.serve(second))
	b := r.browser()
	b.signIn(host, goodPassword, "/")
	there.setSession(host, b.session(host))
	if !there.reads(host) {
		t.Error("the other server does not know the session")
	}
	r.protect(p, access.Password)
	if there.reads(host) {
		t.Error("the other server keeps a session that has ended")
	}
}

// A sign-in never leads to another host, whatever the link contains, and other sites cannot submit the form.
func TestSignInNeverLeadsToAnotherHost(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, `\\evil.example`,
		"/%5cevil.example", "/\t/evil.example", "/%0d%0aLocation:%20https://evil.example", "javascript:alert(1)",
		"evil.example", "///evil.example", "/x//evil.example", "/.//evil.example", "https:evil.example", "@evil.example",
		"/login", "/login/", "/login/member", "/x/../login", "/logout", "", "/" + strings.Repeat("a", 5000),
		"/%2f/evil.example", "http:///evil.example", "/\u2028"} {
		b := r.browser()
		a := b.signIn(host, goodPassword, next)
		at := a.Header.Get("Location")
		if a.StatusCode != http.StatusSeeOther || at != "/" {
			t.Errorf("%q leads to %q (%d)", next, at, a.StatusCode)
		}
		at = b.page("https://" + host + "/login?next=" + url.QueryEscape(next)).Header.Get("Location")
		if at != "/" {
			t.Errorf("%q leads a signed-in reader to %q", next, at)
		}
	}
	for want, next := range map[string]string{"/a/b?x=//evil.example": "/a/b?x=//evil.example", "/a%20b": "/a%20b",
		"/%C3%BC": "/ü"} {
		if at := r.browser().signIn(host, goodPassword, next).Header.Get("Location"); at != want {
			t.Errorf("%q leads to %q", next, at)
		}
	}
	a := r.browser().do(http.MethodPost, "https://"+host+"/login", "password="+goodPassword, "Sec-Fetch-Site", "cross-site",
		"Origin", "https://evil.example")
	if a.StatusCode != http.StatusForbidden || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("another site's form: %d %v", a.StatusCode, a.Header)
	}
}

// Guesses are limited by network, and by site over all networks. A correct password within the limit resets the
// count, and strangers cannot lock readers out.
func TestGuessesAreLimited(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	status := map[int]int{}
	for i := range 12 {
		status[r.browser().signIn(host, fmt.Sprint("guess number ", i), "/").StatusCode]++
	}
	a := r.browser().signIn(host, goodPassword, "/")
	if status[401] != 10 || status[429] != 2 || a.StatusCode != http.StatusTooManyRequests ||
		a.Header.Get("Retry-After") == "" || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("%v, then %d %v", status, a.StatusCode, a.Header)
	}
	r.Advance(16 * time.Minute)
	for range 9 {
		r.browser().signIn(host, "wrong once more", "/")
	}
	if b := r.browser(); b.signIn(host, goodPassword, "/").StatusCode != http.StatusSeeOther || !b.reads(host) {
		t.Error("the right password is refused within the limit")
	}
	for range 9 {
		if got := r.browser().signIn(host, "wrong once more", "/").StatusCode; got != http.StatusUnauthorized {
			t.Errorf("the count did not start over: %d", got)
		}
	}
}

// All wrong passwords get the same response, and each permitted attempt is compared with the hash.
func TestWrongPasswordsGetSameResponse(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	first := ""
	for _, password := range []string{"", "x", goodPassword[:len(goodPassword)-1], goodPassword + " ",
		strings.ToUpper(goodPassword), strings.Repeat("x", 1024), "\x00", "ünïcode"} {
		a := r.browser().signIn(host, password, "/")
		got := fmt.Sprint(a.StatusCode, a.text)
		if first == "" {
			first = got
		}
		if got != first || a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%q: %s, want %s", password, got, first)
		}
	}
}

// Passwords are not sent over plain HTTP, except on the reader's own machine.
func TestSignInRequiresTLS(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	a := r.protect(p, access.Password)
	try := func(name string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		q := httptest.NewRequest(http.MethodPost, "http://"+name+"/login",
			strings.NewReader("password="+strings.ReplaceAll(goodPassword, " ", "+")))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		site := siteapi.Protected{ProjectID: p.ID, OrganizationID: p.OrganizationID, Host: name, Mode: a.Mode,
			Look: lookOf}
		if _, ok := r.readers.Admit(w, q.WithContext(t.Context()), site); ok {
			t.Errorf("%s: the form was accepted", name)
		}
		return w
	}
	if w := try(host); w.Code != http.StatusForbidden || w.Header().Get("Set-Cookie") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := try("docs.localhost"); w.Code != http.StatusSeeOther ||
		!strings.HasPrefix(w.Header().Get("Set-Cookie"), "lectern-reader=") ||
		strings.Contains(w.Header().Get("Set-Cookie"), "Secure") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
