//go:build nightly

package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Readers of a bundle sign in with a real OpenID Connect provider, and pages show the values that it reports about
// them.
func TestBundleReadersSignInWithIdentityProvider(t *testing.T) {
	t.Parallel()
	server := gitea.Shared(t)
	g := &provider{Server: server, boss: server.User(t)}
	g.organization = server.Organization(t, g.boss)
	reader, stranger := g.User(t), g.User(t)
	g.Team(t, g.boss, g.organization, "readers", reader)
	address := lectern.FreeAddress(t)
	id, secret := server.OIDCClient(t, "bundle", "http://"+address+"/docs/login/callback")
	settings, err := json.Marshal(map[string]any{"mode": "oidc", "providers": []map[string]any{{"name": "gitea",
		"label": "Gitea", "issuer": server.URL, "clientId": id, "clientSecret": secret, "scopes": []string{"groups"},
		"groups": []string{g.organization + ":readers"}}}})
	if err != nil {
		t.Fatal(err)
	}
	home := serveForReaders(t, address, "/docs", "--readers-file", writeSecret(t, "readers.json", settings))
	for who, admitted := range map[gitea.User]bool{reader: true, stranger: false} {
		p := tab(t)
		p.acceptDialogs() // this Gitea is built without its scripts, and opens a dialog that says so
		p.navigate(home)
		p.expectEqual("the button", p.text("a.button"), "Continue with Gitea")
		p.clickAndLoad("a.button")
		p.signInAtProvider(g, who)
		p.waitFor(`location.host === ` + quote(address) + ` && document.readyState === 'complete'`)
		if admitted {
			p.expectEqual("where a reader arrives", p.path(), "/docs/")
			p.waitFor(`document.querySelector('article.content').innerText.includes('Hello ` + who.Name + `.')`)
			continue
		}
		if !strings.Contains(p.text(".problem"), "may not read this site") {
			t.Errorf("a stranger sees %s", p.text("body"))
		}
		p.navigate(home)
		p.expectEqual("where a stranger stays", p.path(), "/docs/login")
	}
}

// serveForReaders exports a small site and serves the bundle with flags; it returns the address of its first page.
func serveForReaders(t *testing.T, address, base string, flags ...string) (home string) {
	t.Helper()
	binary, archive := programPath(t), filepath.Join(t.TempDir(), "site.tar.gz")
	docs := worktest.Write(t, map[string]string{
		"docs.json": `{"name":"Bundle","theme":"mint","colors":{"primary":"#0055ff"},` +
			`"navigation":{"pages":["index","guides/start"]}}`,
		"index.mdx":        "---\ntitle: Home\n---\n\nHello {user.name ?? 'reader'}.\n",
		"guides/start.mdx": "---\ntitle: Start here\n---\n\nThe hidden canary.\n",
	})
	if out, err := exec.Command(binary, "export", docs, "--out", archive, "--no-cache").CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	server := lectern.Spawn(t, binary, nil, append([]string{"serve-bundle", "--source", archive, "--data", t.TempDir(),
		"--listen", address, "--base-path", base}, flags...)...)
	server.Await("readiness", func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
	return "http://" + address + base + "/"
}

func writeSecret(t *testing.T, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Readers of a bundle sign in with a password, at the root of a host and below a path. None of the bundle is served
// before that, cookies are limited to the path, and signing out ends the session.
func TestBundleReadersSignInWithPassword(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "/docs"} {
		t.Run("base "+base, func(t *testing.T) {
			t.Parallel()
			home := serveForReaders(t, lectern.FreeAddress(t), base, "--password-file",
				writeSecret(t, "password", []byte(sitePassword+"\n")))
			for _, path := range []string{"", "guides/start", "guides/start.md", "llms.txt", "sitemap.xml", "manifest.json",
				"_lectern/api/search?q=canary", "missing"} {
				res, err := http.Get(home + path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if err != nil || res.StatusCode != http.StatusUnauthorized || strings.Contains(string(body), "canary") ||
					res.Header.Get("Cache-Control") != "private, no-store" {
					t.Errorf("%s: %d %v %s %v", path, res.StatusCode, res.Header, body, err)
				}
			}
			p := tab(t)
			p.navigate(home + "guides/start")
			p.expectEqual("where a stranger arrives", p.path(), base+"/login")
			if strings.Contains(p.text("body"), "organization") {
				t.Errorf("the page links to a dashboard that does not exist: %s", p.text("body"))
			}
			p.fill("#password", "not the password")
			p.clickAndLoad("form button")
			if !strings.Contains(p.text(".problem"), "password is wrong") {
				t.Errorf("after a wrong password: %s", p.text("body"))
			}
			p.fill("#password", sitePassword)
			p.clickAndLoad("form button")
			p.expectEqual("where a reader arrives", p.path(), base+"/guides/start")
			p.expectEqual("the page", p.text("h1"), "Start here")
			p.navigate(home)
			if !strings.Contains(p.text("article.content"), "Hello reader.") {
				t.Errorf("a reader without values sees %s", p.text("article.content"))
			}
			p.checkConsoleExcept("Failed to load resource: the server responded with a status of 401") // the wrong password
			p.navigate(home + "logout")
			p.clickAndLoad("form button")
			p.expectEqual("after signing out", p.path(), base+"/login")
			p.navigate(home + "guides/start")
			p.expectEqual("a page after signing out", p.path(), base+"/login")

			sent, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			}}).PostForm(home+"login", url.Values{"password": {sitePassword}})
			if err != nil {
				t.Fatal(err)
			}
			_ = sent.Body.Close()
			for _, c := range sent.Cookies() {
				// the pages' scripts can read whether there is a session, and nothing else
				if !strings.HasPrefix(c.Path, base+"/") || !c.HttpOnly && c.Name != "lectern-signed-in" {
					t.Errorf("the cookie %s", c)
				}
			}
			if len(sent.Cookies()) == 0 || sent.Header.Get("Location") != base+"/" {
				t.Errorf("%d %v", sent.StatusCode, sent.Header)
			}
		})
	}
}
