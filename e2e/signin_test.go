package e2e

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const password = "paper lantern over gravel"

var ownerLink = regexp.MustCompile(`http://\S+/dashboard/join\?token=\S+`)

// join opens an invitation link as a browser does and returns that browser, signed in.
func join(t *testing.T, link, email string) *http.Client {
	t.Helper()
	return submitOneTimeForm(t, link, "/dashboard/join", url.Values{"email": {email}, "password": {password}})
}

// submitOneTimeForm submits the form behind a one-time link.
func submitOneTimeForm(t *testing.T, link, path string, form url.Values) *http.Client {
	t.Helper()
	at := mustParse(t, link)
	if at.Path != path {
		t.Fatalf("the link is %q", link)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	form.Set("token", at.Query().Get("token"))
	r, err := browser.PostForm(at.Scheme+"://"+at.Host+path, form)
	if code, body := readResponse(t, r, err); code != http.StatusOK || r.Request.URL.Path != "/dashboard/" {
		t.Fatalf("the link returns %d at %s\n%s", code, r.Request.URL, body)
	}
	return browser
}

// owner creates the owner's account with the link that the server printed.
func (p *process) owner() *http.Client {
	p.t.Helper()
	p.Await("the owner's link", func() bool { return ownerLink.MatchString(p.Output()) })
	return join(p.t, ownerLink.FindString(p.Output()), "owner@example.com")
}

// formToken matches the token in every form that a signed-in person sees.
var formToken = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// submitForm submits a form on a proposal's page as a browser does and returns the resulting page.
func submitForm(t *testing.T, browser *http.Client, link, action string) (int, string) {
	t.Helper()
	_, shown := openPage(t, browser, link)
	token := formToken.FindStringSubmatch(shown)
	if token == nil {
		t.Fatalf("no form at %s:\n%s", link, shown)
	}
	r, err := browser.PostForm(link+"/"+action, url.Values{"csrf": {token[1]}})
	return readResponse(t, r, err)
}

// openPage opens a page of the dashboard.
func openPage(t *testing.T, browser *http.Client, address string) (int, string) {
	t.Helper()
	r, err := browser.Get(address)
	return readResponse(t, r, err)
}

// readResponse returns a response's status and whole body.
func readResponse(t *testing.T, r *http.Response, err error) (int, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close() // read to its end
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// K10: the operator can always sign in. Every start prints a link until there is an owner, and the command line creates
// more links. A session survives a restart and ends when the password is changed.
func TestOperatorCanSignIn(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start := func() *process {
		p := serve(t, data, nil, "--first-site", "off")
		p.Await("what it prints", func() bool { return strings.Contains(p.Output(), "is running") })
		return p
	}
	p := start()
	first := ownerLink.FindString(p.Output())
	p.Stop()
	p = start()
	second := ownerLink.FindString(p.Output())
	if first == "" || second == "" || first[strings.Index(first, "="):] == second[strings.Index(second, "="):] {
		t.Fatalf("two starts printed %q and %q", first, second)
	}
	browser := join(t, second, "owner@example.com")
	p.Stop()
	if p = start(); ownerLink.MatchString(p.Output()) {
		t.Error("a link was printed although there is an owner")
	}
	// the port has changed
	browser.Jar.SetCookies(mustParse(t, p.url), browser.Jar.Cookies(mustParse(t, second)))
	if code, html := openPage(t, browser, p.url+"/dashboard/account"); code != http.StatusOK ||
		!strings.Contains(html, "owner@example.com") {
		t.Errorf("after a restart the account's page is %d", code)
	}
	listen := strings.TrimPrefix(p.url, "http://")
	link := command(t, nil, "org", "invite", "--password", "owner@example.com", "--data", data, "--listen", listen)
	fresh := submitOneTimeForm(t, link, "/dashboard/new-password", url.Values{"password": {"gravel under a lantern"}})
	if code, html := openPage(t, browser, p.url+"/dashboard/account"); strings.Contains(html, "owner@example.com") {
		t.Errorf("the session from before the new password still works: %d", code)
	}
	at := mustParse(t, link)
	if code, html := openPage(t, fresh, at.Scheme+"://"+at.Host+"/dashboard/settings/members"); code != http.StatusOK ||
		!strings.Contains(html, "owner@example.com") {
		t.Errorf("the page of members is %d", code)
	}
	join(t, command(t, nil, "org", "invite", "--role", "viewer", "--data", data, "--listen", listen),
		"viewer@example.com")
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
