package dashboard_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

func TestSignInReturnsToTheRequestedPage(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	w := r.walker()
	w.open("/dashboard/settings/keys?cursor=x")
	w.leads("/dashboard/sign-in?next=%2Fdashboard%2Fsettings%2Fkeys%3Fcursor%3Dx")
	w.follow()
	w.is(http.StatusOK, "Sign in", `autocomplete="username"`, `autocomplete="current-password"`,
		"lectern org invite --password EMAIL")
	if strings.Contains(w.page.body, "No owner yet") || strings.Contains(w.page.body, "/dashboard/oidc") {
		t.Error("the page has a first-owner notice or a provider link")
	}
	w.send("/dashboard/sign-in", "email", "owner@example.com", "password", goodPassword)
	w.leads("/dashboard/settings/keys?cursor=x")
	if c := w.page.header.Get("Set-Cookie"); !strings.HasPrefix(c, "lectern_session=") || !strings.Contains(c,
		"; HttpOnly; SameSite=Lax") || strings.Contains(c, "Domain") || strings.Contains(c, "Secure") {
		t.Errorf("the cookie is %s", c)
	}
	w.open("/dashboard/sign-in?next=/dashboard/account")
	w.leads("/dashboard/account")
	w.follow()
	w.is(http.StatusOK, "owner@example.com", "Firefox on Linux", "(this one)")
	w.send("/dashboard/sign-out")
	w.leads("/dashboard/sign-in?did=signed-out")
	if w.token() != "" {
		t.Error("the cookie is still set")
	}
	w.follow()
	w.is(http.StatusOK, "You are signed out.")
	w.open("/dashboard/account")
	w.leads("/dashboard/sign-in?next=%2Fdashboard%2Faccount")
}

// A wrong password, an unknown address and an account without a password get the same response, byte for byte.
func TestFailedSignInRevealsNothing(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	var bodies []string
	for _, a := range [][2]string{{"owner@example.com", otherPassword}, {"nobody@example.com", otherPassword},
		{"viewer@example.com", otherPassword}} {
		got := r.send("", http.MethodPost, "/dashboard/sign-in", url.Values{"email": {a[0]}, "password": {a[1]}})
		if got.status != http.StatusUnauthorized || strings.Contains(got.body, a[1]) ||
			got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s", a[0], got.status, got.header)
		}
		bodies = append(bodies, strings.ReplaceAll(got.body, a[0], "ADDRESS"))
	}
	if bodies[0] != bodies[1] || bodies[1] != bodies[2] || !strings.Contains(bodies[0],
		"E-mail address or password is wrong.") || !strings.Contains(bodies[0], `value="ADDRESS"`) {
		t.Errorf("the answers differ, or lack the words:\n%s", bodies[0])
	}
}

func TestTooManyFailuresShowTheWaitingTime(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	form := url.Values{"email": {"owner@example.com"}, "password": {otherPassword}}
	for range 10 {
		r.send("", http.MethodPost, "/dashboard/sign-in", form)
	}
	form.Set("password", goodPassword)
	got := r.send("", http.MethodPost, "/dashboard/sign-in", form)
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "900" ||
		!strings.Contains(got.body, "Try again in 15 minutes.") {
		t.Errorf("%d %s", got.status, got.header)
	}
	if status, _ := r.get("owner", "/dashboard/account"); status != http.StatusOK {
		t.Errorf("the person's own session: %d", status)
	}
}

// A sign-in always leads to a page of this dashboard, whatever a link contains.
func TestSignInNeverRedirectsToAnotherSite(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	for next, want := range map[string]string{
		"":                                    "/dashboard/",
		"/dashboard/":                         "/dashboard/",
		"/dashboard/projects?x=1&y=//z":       "/dashboard/projects?x=1&y=//z",
		"/dashboard/join?token=abc":           "/dashboard/join?token=abc",
		"https://evil.example/dashboard/":     "/dashboard/",
		"//evil.example/dashboard/":           "/dashboard/",
		"///evil.example/dashboard/":          "/dashboard/",
		`/\evil.example/dashboard/`:           "/dashboard/",
		`\\evil.example`:                      "/dashboard/",
		`/dashboard/\evil.example`:            "/dashboard/",
		"/dashboard//evil.example":            "/dashboard/",
		"/dashboard/%2f%2fevil.example":       "/dashboard/",
		"/dashboard/%5cevil.example":          "/dashboard/",
		"/dashboard/../../evil.example":       "/dashboard/",
		"/dashboard/%2e%2e/x":                 "/dashboard/",
		"/dashboard":                          "/dashboard/",
		"/dashboardx/":                        "/dashboard/",
		"/":                                   "/dashboard/",
		"dashboard/":                          "/dashboard/",
		"javascript:alert(1)":                 "/dashboard/",
		"data:text/html,/dashboard/":          "/dashboard/",
		"http:/dashboard/":                    "/dashboard/",
		"/dashboard/\r\nSet-Cookie: x=1":      "/dashboard/",
		"/dashboard/\t/evil.example":          "/dashboard/",
		"\t//evil.example":                    "/dashboard/",
		" https://evil.example":               "/dashboard/",
		"/dashboard/@evil.example":            "/dashboard/@evil.example",
		"//user@evil.example/dashboard/":      "/dashboard/",
		"/dashboard/sign-in?next=/dashboard/": "/dashboard/",
		"/dashboard/sign-out":                 "/dashboard/",
		"/dashboard/oidc/callback?code=1":     "/dashboard/",
		"/dashboard/live?page=/dashboard/":    "/dashboard/",
		"/dashboard/%zz":                      "/dashboard/",
	} {
		// already signed in: redirected
		got := r.send("owner", http.MethodGet, "/dashboard/sign-in?next="+url.QueryEscape(next), nil)
		if to := got.header.Get("Location"); got.status != http.StatusSeeOther || to != want {
			t.Errorf("next=%q leads to %q (%d), want %q", next, to, got.status, want)
		}
		back := r.send("", http.MethodPost, "/dashboard/theme", url.Values{"theme": {"dark"}, "back": {next}})
		if to := back.header.Get("Location"); !strings.HasPrefix(to, "/dashboard/") || strings.HasPrefix(to, "//") ||
			strings.Contains(to, `\`) || strings.Contains(to, "evil") && !strings.Contains(to, "@evil") {
			t.Errorf("back=%q leads to %q", next, to)
		}
	}
	form := url.Values{"email": {"owner@example.com"}, "password": {goodPassword}, "next": {"//evil.example"}}
	if got := r.send("", http.MethodPost, "/dashboard/sign-in", form); got.header.Get("Location") != "/dashboard/" {
		t.Errorf("the form leads to %q", got.header.Get("Location"))
	}
	if got := r.send("", http.MethodGet, "/dashboard/sign-in?next=//evil.example", nil); !strings.Contains(got.body,
		`name="next" value="/dashboard/"`) {
		t.Error("the form passes the address on")
	}
}

func TestSignInPageExplainsTheFirstOwnersLink(t *testing.T) {
	r := newRig(t)
	_, err := r.store.SQLite().ExecContext(t.Context(), `DELETE FROM people`)
	must(t, err)
	w := r.walker()
	w.open("/dashboard/sign-in")
	w.is(http.StatusOK, "No owner yet:", "the server printed a link when it started",
		"lectern org invite --role owner --data …")
	link := r.link(account.InviteJoin, "", account.RoleOwner, "system")
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusOK, "Join a", "owner", `autocomplete="new-password"`)
	w.send("/dashboard/join", "email", "first@example.com", "name", "<i>First</i>", "password", "too short")
	w.is(http.StatusBadRequest, "at least 12 characters", `value="first@example.com"`, `aria-invalid="true"`)
	w.send("/dashboard/join", "email", "first@example.com", "name", "<i>First</i>", "password", goodPassword)
	w.leads("/dashboard/?did=joined")
	w.open("/dashboard/account")
	w.is(http.StatusOK, "first@example.com")
	if strings.Contains(w.page.body, "<i>First") || !strings.Contains(w.page.body, "&lt;i&gt;First") {
		t.Error("a name was rendered as markup")
	}
	other := r.walker()
	other.open("/dashboard/sign-in")
	if strings.Contains(other.page.body, "No owner yet") {
		t.Error("the page still says that there is no owner")
	}
	other.open("/dashboard/join?token=" + link)
	other.is(http.StatusNotFound, "This link is not valid", "lectern org invite")
}

func TestRemoteSignInOverPlainHTTPIsRefused(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	link, password := r.link(account.InviteJoin, "new@example.com", account.RoleViewer, "operator"),
		r.link(account.InvitePassword, "owner@example.com", "", "operator")
	before := r.everything()
	far := func(q *http.Request) { q.Host = "192.0.2.7:8080" }
	for _, path := range []string{"/dashboard/sign-in", "/dashboard/join?token=" + link,
		"/dashboard/new-password?token=" + password} {
		got := r.send("", http.MethodGet, path, nil, far)
		if got.status != http.StatusForbidden || !strings.Contains(got.body, "Signing in requires https") ||
			strings.Contains(got.body, `type="password"`) {
			t.Errorf("%s: %d", path, got.status)
		}
		form := url.Values{"email": {"owner@example.com"}, "password": {goodPassword}, "half": {"x"}, "code": {"1"}}
		if got := r.send("", http.MethodPost, path, form, far); got.status != http.StatusForbidden ||
			got.header.Get("Set-Cookie") != "" {
			t.Errorf("POST %s: %d", path, got.status)
		}
	}
	if r.everything() != before {
		t.Error("something changed")
	}
}

func TestCookieIsSecureBehindATrustedProxy(t *testing.T) {
	r := newRig(t, func(p *parts) {
		trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		p.SignIn.Proxies, p.Dashboard.Proxies, p.Dashboard.PublicURL = trusted, trusted, "https://docs.example.com"
	})
	r.withPassword("owner")
	got := r.send("", http.MethodPost, "/dashboard/sign-in",
		url.Values{"email": {"owner@example.com"}, "password": {goodPassword}}, func(q *http.Request) {
			q.Header.Set("X-Forwarded-Proto", "https")
			q.Header.Set("X-Forwarded-Host", "docs.example.com")
			q.Header.Set("Sec-Fetch-Site", "same-origin")
		})
	if c := got.header.Get("Set-Cookie"); got.status != http.StatusSeeOther ||
		!regexp.MustCompile(`^__Host-lectern=[0-9A-Za-z]{43}; Path=/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$`).
			MatchString(c) {
		t.Errorf("%d %s", got.status, c)
	}
}

func TestThemeIsRememberedForAYear(t *testing.T) {
	r := newRig(t)
	w := r.walker()
	w.open("/dashboard/sign-in?next=/dashboard/account")
	w.do(http.MethodPost, "/dashboard/theme",
		url.Values{"theme": {"dark"}, "back": {"/dashboard/sign-in?next=/dashboard/account"}})
	w.leads("/dashboard/sign-in?next=/dashboard/account")
	if c := w.page.header.Get(
		"Set-Cookie"); c != "lectern_theme=dark; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax" {
		t.Errorf("the cookie is %s", c)
	}
	w.follow()
	w.is(http.StatusOK, `data-scheme="dark"`)
	w.do(http.MethodPost, "/dashboard/theme", url.Values{"theme": {`x"><script>`}, "back": {"/dashboard/sign-in/code"}})
	w.leads("/dashboard/") // that URL only accepts forms
	if w.cookie("lectern_theme") != "" {
		t.Error("an unknown theme is kept")
	}
}

func TestPersonSwitchesBetweenOwnOrganizations(t *testing.T) {
	r := newRig(t)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), r.b.org.ID, "viewer@example.com", account.RoleEditor)
		return err
	}))
	if status, to := r.post("viewer", "/dashboard/switch",
		url.Values{"organization": {r.b.org.ID}}); status != http.StatusSeeOther || to != "/dashboard/?did=switched" {
		t.Errorf("%d %s", status, to)
	}
	if _, body := r.get("viewer", "/dashboard/projects"); !strings.Contains(body, "docs.b.example") ||
		strings.Contains(body, "docs.a.example") {
		t.Error("the page shows the wrong organization")
	}
	if status, _ := r.post("editor", "/dashboard/switch",
		url.Values{"organization": {r.b.org.ID}}); status != http.StatusNotFound {
		t.Errorf("a stranger to it: %d", status)
	}
}

// A live page ends when its session does.
func TestSigningOutEndsLivePages(t *testing.T) {
	r := newRig(t)
	res := r.start("owner", http.MethodGet, "/dashboard/live?page="+url.QueryEscape("/dashboard/projects"), nil)
	defer res.Body.Close()
	first := make([]byte, 512)
	if n, err := res.Body.Read(first); err != nil || !strings.Contains(string(first[:n]), "event: change") {
		t.Fatalf("%v %s", err, first)
	}
	if status, to := r.post("owner", "/dashboard/sign-out", nil); status != http.StatusSeeOther ||
		to != "/dashboard/sign-in?did=signed-out" {
		t.Fatalf("%d %s", status, to)
	}
	var rest strings.Builder
	for buf := make([]byte, 512); ; {
		n, err := res.Body.Read(buf)
		rest.Write(buf[:n])
		if err != nil {
			break
		}
	}
	if !strings.Contains(rest.String(), "event: gone") {
		t.Errorf("the stream ended with %q", rest.String())
	}
}
