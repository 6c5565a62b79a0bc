//go:build nightly

package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/testkit/testserver"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// guideSnippet returns a configuration from the guide, so that the test uses exactly what readers copy.
func guideSnippet(t *testing.T, title string) string {
	t.Helper()
	guide, err := docs.Site.ReadFile("guides/sub-path.mdx")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```nginx " + regexp.QuoteMeta(title) + "\n(.*?)```").FindSubmatch(guide)
	if found == nil {
		t.Fatalf("the guide does not contain %s", title)
	}
	return string(found[1])
}

// startNginx starts nginx with a server block that contains the snippet and serves something else at its root. It
// returns the server's origin.
func startNginx(t *testing.T, snippet string) string {
	t.Helper()
	run, err := os.MkdirTemp("", "nginx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	address, config := lectern.FreeAddress(t), filepath.Join(run, "nginx.conf")
	text := fmt.Sprintf(`daemon off; master_process off; worker_processes 1; pid %[1]s/pid; error_log stderr notice;
events { worker_connections 256; }
http {
  include /etc/nginx/mime.types;
  access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/c;
  server { listen %[2]s; server_name example.com; location = / { return 200 "the rest of the host"; }
%[3]s
  }
}
`, run, address, snippet)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil { // not every PATH includes /usr/sbin
		program = "/usr/sbin/nginx"
	}
	server, err := testserver.Run(testserver.Command{Folder: run, Signal: "TERM", Args: []string{program, "-c", config, "-p", run}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	if err := server.Await(ctx, " nginx/"); err != nil {
		t.Fatal(err, server.Output())
	}
	return "http://" + address
}

// writeBelow writes the source of a site that will be served below a path.
func writeBelow(t *testing.T) (dir string) {
	t.Helper()
	return worktest.Write(t, map[string]string{
		"docs.json": `{"name":"Below","theme":"mint","colors":{"primary":"#0055ff"},` +
			`"navigation":{"pages":["index","guides/start"]},"redirects":[{"source":"/old","destination":"/guides/start"},` +
			`{"source":"/was/*","destination":"/guides/*"}]}`,
		"index.mdx":        "---\ntitle: Home\n---\n\nGo to [the start](/guides/start).\n\n![A dot](/dot.svg)\n",
		"guides/start.mdx": "---\ntitle: Start here\n---\n\nThe lighthouse stands here.\n",
		"dot.svg":          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" cx="4" cy="4"/></svg>`,
	})
}

// exportBelow exports the site for a path of example.com.
func exportBelow(t *testing.T) (archive string) {
	t.Helper()
	archive = filepath.Join(t.TempDir(), "site.tar.gz")
	out, err := exec.Command(programPath(t), "export", writeBelow(t), "--out", archive, "--no-cache", "--base-url",
		"https://example.com/docs").CombinedOutput()
	if err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	return archive
}

// checkBelow opens a site below /docs as readers and search engines do. wildcards reports whether redirects can have
// wildcards. canonical is the site's own address, without a trailing slash.
func checkBelow(t *testing.T, p *page, origin, canonical string, wildcards bool) {
	t.Helper()
	get := func(path string) (*http.Response, string) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1"+origin[strings.LastIndexByte(origin, ':'):]+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = strings.TrimPrefix(origin, "http://") // only browsers resolve names under .localhost
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res, err := client.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res, string(body)
	}
	if _, body := get("/"); body != "the rest of the host" {
		t.Errorf("the rest of the host serves %s", body)
	}
	moves := map[string]string{"/docs": "/docs/", "/docs?a=1": "/docs/?a=1", "/docs/old": "/docs/guides/start"}
	if wildcards {
		moves["/docs/was/start"] = "/docs/guides/start"
	}
	for from, to := range moves {
		res, _ := get(from)
		if at := strings.TrimPrefix(res.Header.Get("Location"), origin); res.StatusCode/100 != 3 || at != to {
			t.Errorf("%s: %d %s, want %s", from, res.StatusCode, res.Header.Get("Location"), to)
		}
	}
	if _, body := get("/docs/guides/start"); !strings.Contains(body,
		`<link rel="canonical" href="`+canonical+`/guides/start`) {
		t.Error("the canonical link lacks the path")
	}
	if _, body := get("/docs/sitemap.xml"); !strings.Contains(body, "<loc>"+canonical+"/guides/start") {
		t.Errorf("the sitemap is %s", body)
	}
	if res, body := get("/docs/missing"); res.StatusCode != 404 || !strings.Contains(body, "<html") {
		t.Errorf("a missing page: %d", res.StatusCode)
	}
	if res, _ := get("/docs/dot.svg"); res.StatusCode != 200 || res.Header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("an image: %d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	p.navigate(origin + "/docs/")
	p.waitFor(`document.querySelector('img[alt="A dot"]')?.naturalWidth > 0`)
	p.expectEqual("styles", eval[string](p, `getComputedStyle(document.querySelector(".shell")).display`), "grid")
	p.click(`article.content a[href*="guides/start"]`)
	p.waitFor(`location.pathname.startsWith('/docs/guides/start') && document.querySelector('h1')?.textContent === 'Start here'`)
	p.navigate(origin + "/docs/")
	p.search(goal{title: "Start here"})
	p.checkConsole()
}

// A site below a path of an nginx host works with the configurations in our guide: published by a server, from
// serve-bundle, from files, and with reader sign-in.
func TestSiteWorksBelowNginxPath(t *testing.T) {
	t.Parallel()
	archive := exportBelow(t)
	serveBundle := func(t *testing.T, flags ...string) (origin string) {
		address := lectern.FreeAddress(t)
		server := lectern.Spawn(t, programPath(t), []string{"LECTERN_TRUSTED_PROXIES=127.0.0.1"}, append([]string{"serve-bundle",
			"--source", archive, "--data", t.TempDir(), "--base-path", "/docs", "--listen", address}, flags...)...)
		server.Await("readiness", func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
		return startNginx(t, strings.ReplaceAll(guideSnippet(t, "docs-proxy.conf"), "127.0.0.1:8080", address))
	}
	t.Run("serve-bundle", func(t *testing.T) {
		t.Parallel()
		checkBelow(t, tab(t), serveBundle(t), "https://example.com/docs", false)
	})
	t.Run("files", func(t *testing.T) {
		t.Parallel()
		www := t.TempDir()
		if err := os.Mkdir(filepath.Join(www, "docs"), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("tar", "xzf", archive, "-C", filepath.Join(www, "docs")).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		checkBelow(t, tab(t),
			startNginx(t, strings.ReplaceAll(guideSnippet(t, "docs-files.conf"), "/srv/www", www)), "https://example.com/docs", true)
	})
	t.Run("with a password", func(t *testing.T) {
		t.Parallel()
		signInBelow(t, serveBundle(t, "--password-file", writeSecret(t, "password", []byte(sitePassword))))
	})
	t.Run("serve", func(t *testing.T) {
		t.Parallel()
		const domain = "shared.localhost"
		f := startFreshServer(t, []string{"LECTERN_TRUSTED_PROXIES=127.0.0.1"}, "--first-site", "off", "--sources-local", "on")
		if _, err := f.CreateProject(t.Context(), client.CreateProject{Name: "Below", Domain: domain + "/docs",
			Source: client.SourceInput{Path: writeBelow(t)}}); err != nil {
			t.Fatal(err)
		}
		project := f.project(domain + "/docs")
		origin := startNginx(t, strings.ReplaceAll(guideSnippet(t, "docs-proxy.conf"), "127.0.0.1:8080",
			strings.TrimPrefix(f.url, "http://")))
		origin = "http://" + domain + origin[strings.LastIndexByte(origin, ':'):]
		checkBelow(t, tab(t), origin, "http://"+domain+"/docs", true)
		if _, err := f.SetReaderAccess(t.Context(), project, client.SetReaderAccess{Mode: "password",
			Password: sitePassword}); err != nil {
			t.Fatal(err)
		}
		p := tab(t)
		f.waitUntil("the sign-in page", func() bool { p.navigate(origin + "/docs/"); return p.path() == "/docs/login" })
		signInBelow(t, origin)
	})
}

// signInBelow signs in to a site below /docs with the password.
func signInBelow(t *testing.T, origin string) {
	t.Helper()
	p := tab(t)
	p.navigate(origin + "/docs/guides/start")
	p.expectEqual("where a stranger arrives", p.path(), "/docs/login")
	p.fill("#password", sitePassword)
	p.clickAndLoad("form button")
	p.expectEqual("where a reader arrives", p.path(), "/docs/guides/start")
	p.expectEqual("the page", p.text("h1"), "Start here")
	p.click(".sign-out button")
	p.waitFor(`location.pathname === '/docs/login'`)
}
