package siteaccess_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

const valuesURL = "https://" + host + "/_lectern/api/user"

// values requests the values about the reader as a page's script does.
func (b *browser) values() answer {
	return b.do(http.MethodGet, valuesURL, "", "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "empty")
}

// An application provides values about a reader for pages. Only this reader's pages get them, and only while the
// session lasts.
func TestPagesGetReaderValues(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	ed, _, _ := newKeys(t)
	r.handOffTo(p, access.PublicKey{PEM: publicPEM(t, ed)})
	enter := func(b *browser, content any) {
		t.Helper()
		token := sign(t, ed, jose.EdDSA, "", r.claims(object{"content": content}))
		if got := b.sendToken(host, token, "/"); got.StatusCode != http.StatusSeeOther {
			t.Fatal(got.StatusCode, got.text)
		}
	}
	ada, bob, stranger := r.browser(), r.browser(), r.browser()
	enter(ada, object{"firstName": "Ada-value", "org": object{"plan": "<img src=x onerror=alert(1)>"}})
	enter(bob, object{"firstName": "Bob-value"})

	got := ada.values()
	if want := `{"user":{"firstName":"Ada-value","org":{"plan":"\u003cimg src=x onerror=alert(1)\u003e"}}}` + "\n"; got.text != want ||
		got.StatusCode != 200 || got.Header.Get("Cache-Control") != "private, no-store" ||
		got.Header.Get("Content-Type") != "application/json" || got.Header.Get("X-Content-Type-Options") != "nosniff" ||
		got.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" || got.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v %s", got.StatusCode, got.Header, got.text)
	}
	if got := bob.values(); got.text != `{"user":{"firstName":"Bob-value"}}`+"\n" {
		t.Error(got.text)
	}
	if got := stranger.values(); got.StatusCode != http.StatusNoContent || got.text != "" {
		t.Errorf("a stranger got %d %s", got.StatusCode, got.text)
	}
	for _, from := range []string{"cross-site", "same-site", "none"} {
		if got := ada.do(http.MethodGet, valuesURL, "", "Sec-Fetch-Site", from); got.StatusCode != 403 ||
			strings.Contains(got.text, "Ada") {
			t.Errorf("%s: %d %s", from, got.StatusCode, got.text)
		}
	}

	// The page itself is the same for both, with a header that says that the server knows the reader.
	one, other := ada.page("https://"+host+"/"), bob.page("https://"+host+"/")
	if one.text != other.text || one.Header.Get("ETag") != other.Header.Get("ETag") {
		t.Error("pages of two readers differ")
	}
	if !slices.Contains(one.Header.Values("Server-Timing"), "lectern-user") {
		t.Error(one.Header.Values("Server-Timing"))
	}
	again := ada.do(http.MethodGet, "https://"+host+"/", "", "If-None-Match", one.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified || !slices.Contains(again.Header.Values("Server-Timing"), "lectern-user") {
		t.Errorf("%d %v", again.StatusCode, again.Header)
	}

	// Values belong to a session: with another session, or after the session's end, they are invalid.
	bob.jar.SetCookies(&url.URL{Scheme: "https", Host: host, Path: "/_lectern/api/user"}, ada.valuesCookies())
	if got := bob.values(); got.StatusCode != http.StatusNoContent {
		t.Errorf("another session's values: %d %s", got.StatusCode, got.text)
	}
	kept := ada.valuesCookies()
	if got := ada.do(http.MethodPost, "https://"+host+"/logout", "", "Sec-Fetch-Site", "same-origin"); got.StatusCode != 303 {
		t.Fatal(got.StatusCode)
	}
	if left := ada.valuesCookies(); len(left) > 0 {
		t.Errorf("the browser still has %v", left)
	}
	ada.jar.SetCookies(&url.URL{Scheme: "https", Host: host, Path: "/_lectern/api/user"}, kept)
	if got := ada.values(); got.StatusCode != http.StatusNoContent {
		t.Errorf("after signing out: %d %s", got.StatusCode, got.text)
	}

	// Values that are too long are left out, and the reader is still signed in.
	enter(ada, object{"x": strings.Repeat("y", 2048)})
	if got := ada.values(); got.StatusCode != http.StatusNoContent {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	for _, content := range []any{"text", []string{"a"}, 7, object{}} {
		enter(ada, content)
		if got := ada.values(); got.StatusCode != http.StatusNoContent || !ada.reads(host) {
			t.Errorf("%v: %d %s", content, got.StatusCode, got.text)
		}
	}
	if !strings.Contains(r.log.String(), "reader values dropped") {
		t.Error(r.log.String())
	}
	r.nowhereStored("Ada-value", "Bob-value")
}

// valuesCookies returns the cookies that the browser sends only to the values' URL.
func (b *browser) valuesCookies() (out []*http.Cookie) {
	for _, c := range b.jar.Cookies(&url.URL{Scheme: "https", Host: host, Path: "/_lectern/api/user"}) {
		if c.Name == "__Secure-lectern-reader-user" {
			c.Path, c.Secure = "/_lectern/api/user", true
			out = append(out, c)
		}
	}
	return out
}

// nowhereStored fails the test if the log or a database file contains one of the words.
func (r *rig) nowhereStored(words ...string) {
	r.t.Helper()
	db, err := sql.Open("sqlite", r.database)
	r.ok(err)
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(r.t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	r.ok(err)
	raw, err := os.ReadFile(r.database)
	r.ok(err)
	for _, word := range words {
		if strings.Contains(string(raw), word) || strings.Contains(r.log.String(), word) {
			r.t.Errorf("%s is stored or logged", word)
		}
	}
	if !strings.Contains(string(raw), "user-1") {
		r.t.Error("the database was not read: it lacks the subject of the sessions")
	}
}
