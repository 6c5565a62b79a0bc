package dashboard_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	goodPassword  = "seven green bicycles"
	otherPassword = "a lamp for the harbour"
)

// cheap is the hashing cost of passwords in tests, which sign in hundreds of times.
var cheap = passhash.Cost{Memory: 64, Passes: 1}

func goodHash() string { return cheap.Hash(rand.Reader, goodPassword) }

// withPassword sets goodPassword for the named people.
func (r *rig) withPassword(who ...string) {
	r.t.Helper()
	for _, name := range who {
		p := r.people[name].person
		p.PasswordHash = goodHash()
		must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) error { return tx.UpdatePerson(r.t.Context(), p) }))
	}
}

// link stores an invitation link to organization a and returns its secret.
func (r *rig) link(kind account.InvitationKind, email string, role account.Role, by string) string {
	r.t.Helper()
	token := account.NewToken(rand.Reader)
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateInvitation(r.t.Context(), account.Invitation{OrganizationID: r.a.org.ID, Kind: kind,
			Email: email, Role: role, Hash: account.TokenHash(token), CreatedBy: by,
			ExpiresAt: r.clock.Now().Add(24 * time.Hour)})
		return err
	}))
	return token
}

// walker is a browser: it keeps cookies, and submits the forms of its current page.
type walker struct {
	t      testing.TB
	base   string
	client *http.Client
	page   reply // the last answer
}

func (r *rig) walker() *walker {
	r.t.Helper()
	jar, err := cookiejar.New(nil)
	must(r.t, err)
	return &walker{t: r.t, base: r.server.URL, client: &http.Client{Jar: jar, Transport: r.server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// cookie returns the value of the walker's cookie with that name, or "" if it has none.
func (w *walker) cookie(name string) string {
	u, err := url.Parse(w.base)
	must(w.t, err)
	for _, c := range w.client.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

func (w *walker) token() string { return w.cookie("lectern_session") }

func (w *walker) open(path string) reply {
	w.t.Helper()
	return w.do(http.MethodGet, path, nil)
}

// follow opens the target of the last response's redirect.
func (w *walker) follow() reply {
	w.t.Helper()
	to := w.page.header.Get("Location")
	if w.page.status != http.StatusSeeOther || !strings.HasPrefix(to, "/") {
		w.t.Fatalf("the response is not a redirect: %d %q %s", w.page.status, to, w.page.body)
	}
	return w.open(to)
}

var formPart = regexp.MustCompile(`(?s)<form[^>]* action="([^"]*)"[^>]*>(.*?)</form>`)
var inputPart = regexp.MustCompile(`<input [^>]*>`)
var attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)

// send fills in the form of the page with that action and submits it: fields are pairs of names and values, other
// fields keep their values. It fails if the page has no such form or the form has no such field.
func (w *walker) send(action string, fields ...string) reply {
	w.t.Helper()
	for _, f := range formPart.FindAllStringSubmatch(w.page.body, -1) {
		if html.UnescapeString(f[1]) != action {
			continue
		}
		form := url.Values{}
		for _, in := range inputPart.FindAllString(f[2], -1) {
			a := map[string]string{}
			for _, m := range attribute.FindAllStringSubmatch(in, -1) {
				a[m[1]] = html.UnescapeString(m[2])
			}
			form.Set(a["name"], a["value"])
		}
		for i := 0; i < len(fields); i += 2 {
			if !form.Has(fields[i]) {
				w.t.Fatalf("the form of %s has no field %s", action, fields[i])
			}
			form.Set(fields[i], fields[i+1])
		}
		return w.do(http.MethodPost, action, form)
	}
	w.t.Fatalf("the page has no form for %s:\n%s", action, w.page.body)
	return reply{}
}

func (w *walker) do(method, path string, form url.Values) reply {
	w.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.base+path, body)
	must(w.t, err)
	req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	res, err := w.client.Do(req)
	must(w.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	must(w.t, err)
	w.page = reply{res.StatusCode, res.Header, string(raw)}
	if token := w.token(); token != "" &&
		(strings.Contains(w.page.header.Get("Location"), token) || strings.Contains(w.page.body, token)) {
		w.t.Errorf("%s %s: the session's token is in the page or an address (K10)", method, path)
	}
	return w.page
}

// is checks the last response's status, and that its body contains the words.
func (w *walker) is(status int, words ...string) {
	w.t.Helper()
	text := html.UnescapeString(w.page.body)
	for _, word := range words {
		if !strings.Contains(text, word) {
			w.t.Errorf("the page lacks %q:\n%s", word, w.page.body)
		}
	}
	if w.page.status != status {
		w.t.Fatalf("the status is %d, want %d: %s", w.page.status, status, w.page.body)
	}
}

// leads checks that the last response redirects to an address.
func (w *walker) leads(to string) {
	w.t.Helper()
	if got := w.page.header.Get("Location"); w.page.status != http.StatusSeeOther || got != to {
		w.t.Fatalf("it leads to %q (%d), want %q: %s", got, w.page.status, to, w.page.body)
	}
}

// signIn signs in a person with goodPassword.
func (w *walker) signIn(email string) {
	w.t.Helper()
	w.open("/dashboard/sign-in")
	w.send("/dashboard/sign-in", "email", email, "password", goodPassword)
}

// totpCode returns the code that an app shows at that time (RFC 6238), computed independently of the server's code.
func totpCode(t testing.TB, secret string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	must(t, err)
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(at.Unix()/30)))
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}
