package browser

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/go-jose/go-jose/v4"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const sitePassword = "seven green bicycles"

// startPrivate starts a server with an owner and a published site, and returns the owner's tab.
func startPrivate(t *testing.T, flags ...string) (f *freshServer, boss *page, projectID string) {
	t.Helper()
	f = startFreshServer(t, nil, append(flags, "--first-site", "off")...)
	dir := worktest.Write(t, map[string]string{
		"docs.json": `{"name":"Secret docs","theme":"mint","colors":{"primary":"#aa2233"},` +
			`"navigation":{"pages":["index","guides/start"]}}`,
		"index.mdx":        "---\ntitle: Home\n---\n\nHello.\n",
		"guides/start.mdx": "---\ntitle: Start here\n---\n\nThe hidden canary.\n\n![A dot](/dot.svg)\n",
		"dot.svg":          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" cx="4" cy="4"/></svg>`,
	})
	if _, err := f.CreateProject(t.Context(), client.CreateProject{Name: "Secret", Domain: "secret.localhost",
		Source: client.SourceInput{Path: dir}}); err != nil {
		t.Fatal(err)
	}
	boss = tab(t)
	boss.makeOwner(f)
	return f, boss, f.project("secret.localhost")
}

// An owner makes a site private in the dashboard. Readers sign in with the password, without scripts, and get the whole
// page that they requested.
func TestPrivateSiteReadersSignInWithPassword(t *testing.T) {
	t.Parallel()
	f, boss, project := startPrivate(t)
	boss.navigate(f.url + "/dashboard/projects/" + project + "/settings")
	boss.click(`input[name="mode"][value="password"]`)
	eval[bool](boss, `(document.querySelector('#f-password').closest('details').open = true)`)
	boss.fill("#f-password", sitePassword)
	boss.clickAndLoad(`form[action$="/readers"] button.main`)
	if !strings.Contains(boss.text("body"), "All readers of the site were signed out") {
		t.Fatalf("the settings page shows %s", boss.text("main"))
	}
	start := f.site("secret.localhost") + "/guides/start"
	p := tab(t)
	p.withoutScripts()
	f.waitUntil("the sign-in page", func() bool { p.navigate(start); return p.path() == "/login" })
	p.expectEqual("where a stranger arrives", p.path(), "/login")
	p.expectEqual("the name", p.text("h1"), "Secret docs")
	p.expectEqual("the button", eval[string](p, `getComputedStyle(document.querySelector('button')).backgroundColor`),
		"rgb(170, 34, 51)")
	p.fill("#password", "not the password")
	p.clickAndLoad("form button")
	if !strings.Contains(p.text(".problem"), "password is wrong") || strings.Contains(p.text("body"), "canary") {
		t.Errorf("after a wrong password: %s", p.text("body"))
	}
	p.fill("#password", sitePassword)
	p.clickAndLoad("form button")
	p.expectEqual("where a reader arrives", p.path(), "/guides/start")

	q := tab(t)
	q.navigate(start)
	q.fill("#password", sitePassword)
	q.clickAndLoad("form button")
	q.expectEqual("the page", q.text("h1"), "Start here")
	q.waitFor(`document.querySelector('img[alt="A dot"]')?.naturalWidth > 0`)
	if got := eval[int](q, `document.styleSheets.length`); got == 0 {
		t.Error("the page has no style")
	}
	q.expectEqual("the button to sign out", eval[string](q, `document.querySelector('.navbar .sign-out button').ariaLabel`),
		"Sign out")
	q.screenshot("private-sign-out")
	run(q, chromedp.EmulateViewport(390, 844))
	q.screenshot("private-sign-out-phone")
	run(q, chromedp.EmulateViewport(1280, 800))
	q.click(".sidebar a[href='/']") // a page change without a reload
	q.waitFor(`document.querySelector("h1").textContent === "Home"`)
	q.expectEqual("buttons there", eval[string](q, "String(document.querySelectorAll('.sign-out').length)"), "1")
	q.waitFor(`performance.getEntriesByType("resource").some(e => e.name.endsWith("/_lectern/api/event"))`)
	q.expectEqual("statuses of counting", eval[string](q, `[...new Set(performance.getEntriesByType("resource")`+
		`.filter(e => e.name.endsWith("/_lectern/api/event")).map(e => e.responseStatus))].join()`), "204")
	q.checkConsole()
	q.clickAndLoad(".sign-out button")
	q.expectEqual("where a reader is who signed out", q.path(), "/login")
	q.expectEqual("cookies", eval[string](q, `document.cookie`), "")
	q.navigate(start)
	q.expectEqual("after signing out", q.path(), "/login")
	// the address that works without scripts
	p.navigate(f.site("secret.localhost") + "/logout")
	p.clickAndLoad("form button")
	p.navigate(start)
	p.expectEqual("after signing out without scripts", p.path(), "/login")
}

// handOff lets an application sign readers in to a project's site and returns a function that signs its tokens.
func (f *freshServer) handOff(project, host string) func(claims map[string]any) string {
	f.t.Helper()
	ok := func(err error) {
		f.t.Helper()
		if err != nil {
			f.t.Fatal(err)
		}
	}
	public, key, err := ed25519.GenerateKey(rand.Reader)
	ok(err)
	der, err := x509.MarshalPKIXPublicKey(public)
	ok(err)
	_, err = f.SetReaderAccess(f.t.Context(), project, client.SetReaderAccess{Mode: "jwt",
		JWT: client.ReaderTokens{LoginURL: "https://app.example/docs", Keys: []client.ReaderTokenKey{
			{PEM: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))}}}})
	ok(err)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key}, nil)
	ok(err)
	return func(claims map[string]any) string {
		f.t.Helper()
		all := map[string]any{"aud": host, "exp": time.Now().Add(5 * time.Minute).Unix(), "jti": rand.Text()}
		maps.Copy(all, claims)
		raw, err := json.Marshal(all)
		ok(err)
		signed, err := signer.Sign(raw)
		ok(err)
		token, err := signed.CompactSerialize()
		ok(err)
		return token
	}
}

// An application signs its users in with a token in the address's fragment, which a page of the site submits.
func TestApplicationSignsReadersInByFragment(t *testing.T) {
	t.Parallel()
	f, boss, project := startPrivate(t)
	token := f.handOff(project, "secret.localhost")(map[string]any{"sub": "user-1"})
	f.waitUntil("the sign-in page", func() bool {
		boss.navigate(f.site("secret.localhost"))
		return boss.path() == "/login"
	})
	p := tab(t)
	p.navigate(f.site("secret.localhost") + "/login/jwt#token=" + token + "&next=/guides/start")
	p.waitFor(`location.pathname === '/guides/start' && document.readyState === 'complete'`)
	p.expectEqual("the page", p.text("h1"), "Start here")
	p.checkConsole()
}
