package hostconfig

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked lists requests with the expected response of every server: a page by its name, or a status and a target.
var asked = []struct {
	path string // as it is sent
	page string // shown, "" = none
	code int
	to   string
}{
	{path: "/", page: "index.html"},
	{path: "/top", page: "top.html"},
	{path: "/guides/start", page: "guides/start.html"},
	{path: "/guides/start.html", page: "guides/start.html"},
	{path: "/guides/deep/page?x=1", page: "guides/deep/page.html"},
	{path: "/api", code: 301, to: "/api/"},
	{path: "/api/", page: "api/index.html"},
	{path: "/img/a%20b.png", page: "img/a b.png"},
	{path: "/old/path", code: 301, to: "/guides/next"},
	{path: "/old/path/", code: 301, to: "/guides/next"},
	{path: "/old/path?a=b", code: 301, to: "/guides/next?a=b"},
	{path: "/old/place", code: 302, to: "/guides/next#a%20b"},
	{path: "/old/place?q", code: 302, to: "/guides/next?q#a%20b"},
	{path: "/old/query?a=b", code: 301, to: "/guides/next?x=1"},
	{path: "/to-index", code: 301, to: "/api/"},
	{path: "/to-file", code: 302, to: "/img/a%20b.png"},
	{path: "/away", code: 301, to: "https://example.com/x?y=1#z"},
	{path: "/port", code: 302, to: "https://example.com:8443/x"},
	{path: "/sp%20ace/%C3%BC", code: 301, to: "/guides/next"},
	{path: "/quote%22'%60", code: 301, to: "/guides/next#%22%27%60"},
	{path: "/percentA", code: 302, to: "/guides/next"},
	{path: "/docs", code: 301, to: "/"},
	{path: "/docs/guides/start", code: 301, to: "/guides/start"},
	{path: "/docs/guides/start/?a=b", code: 301, to: "/guides/start?a=b"},
	{path: "/docs/a%20b/%C3%BC", code: 301, to: "/a%20b/%C3%BC"},
	{path: "/v1/x/y", code: 302, to: "/guides/x/y"},
	{path: "/v2-x/y", code: 301, to: "/guides/x/y"},
	{path: "/user/7/edit", code: 302, to: "/guides/7"},
	{path: "/user/7/8/edit", code: 404},
	{path: "/two/1/2?q", code: 301, to: "/guides/2/1?q#x"},
	{path: "/two/1/2", code: 301, to: "/guides/2/1#x"},
	{path: "/deep/a/b/end", code: 302, to: "/guides/a/b"},
	{path: "/files/a/b", code: 301, to: "https://files.example.com/f/a/b"},
	{path: "/all/x", code: 301, to: "/guides/start"},
	{path: "/linux/x", code: 302, to: "/guides/linux"},
	{path: "/solaris/x", code: 404},
	{path: "/n/12", code: 301, to: "/guides/12"},
	{path: "/n/1a", code: 404},
	{path: "/guides/gone", code: 301, to: "/api/gone"}, // the rule also matches the paths of pages, which take precedence
	{path: "/nowhere/at/all", code: 404},
	{path: "/script", code: 404}, {path: "/gone", code: 404}, {path: "/steer/evil.example", code: 404},
	{path: "/steer2/.evil.example", code: 404},
}

// steering lists paths that try to redirect readers to another host, or to inject headers.
var steering = []string{
	"/docs//evil.example", "/docs/%2f%2fevil.example", `/docs/\evil.example`, "/docs/%5cevil.example",
	"/docs/%5C%5Cevil.example", "/docs/%0d%0aSet-Cookie:a=b", "/docs/./%2e%2e//evil.example",
	"//evil.example/docs/x", "/docs/%09/evil.example", "/steer3//evil.example", "/steer3/%2Fevil.example",
	"/steer3/evil.example", "/v3-/evil.example", "/v3-%2Fevil.example", `/v3-\evil.example`,
}

// tree writes a bundle of the hostile site: each page shows its own name.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"index.html", "top.html", "guides/start.html", "guides/next.html", "guides/deep/page.html",
		"api/index.html", "img/a b.png",
		"404.html", "_lectern/theme.0123456789.css", "_lectern/search/index.js", "guides/start.md"}
	for _, name := range names {
		write(name, []byte("this is "+name))
	}
	for _, f := range Files(hostile("")) {
		write(f.Path, f.Data)
	}
	return dir
}

// judge sends all requests to a server, which it reaches through dial, and checks the responses.
func judge(t *testing.T, dial func(context.Context) (net.Conn, error)) {
	t.Helper()
	client := &http.Client{
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx)
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(client.CloseIdleConnections)
	ask := func(path string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://docs.example.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Opaque = path // sent unchanged, even if it is invalid
		if strings.HasPrefix(path, "//") {
			r.URL.Opaque = "//docs.example.com" + path[1:]
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close() // it was read
		return res, string(body)
	}
	for _, c := range asked {
		res, body := ask(c.path)
		to := strings.TrimPrefix(res.Header.Get("Location"), "http://docs.example.com")
		code, shown := c.code, "this is 404.html"
		if c.page != "" {
			code, shown = 200, "this is "+c.page
		}
		if res.StatusCode != code || to != c.to || (c.to == "" && body != shown) {
			t.Errorf("%s: %d to %q with %.40q; want %d to %q, %s", c.path, res.StatusCode, to, body, code, c.to, shown)
		}
	}
	for _, path := range steering {
		res, _ := ask(path)
		to := res.Header.Get("Location")
		rest := strings.TrimPrefix(to, "http://docs.example.com")
		if res.Header.Get("Set-Cookie") != "" || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, `/\`) ||
			strings.HasPrefix(rest, "http") || strings.ContainsAny(to, "\r\n\t\\") {
			t.Errorf("%s leads to %q", path, to)
		}
	}
	for path, want := range map[string]string{"/_lectern/theme.0123456789.css": lasting,
		"/_lectern/search/index.js": ""} {
		if res, _ := ask(path); res.Header.Get("Cache-Control") != want {
			t.Errorf("%s: Cache-Control %q", path, res.Header.Get("Cache-Control"))
		}
	}
	if res, _ := ask("/guides/start.md"); !strings.HasPrefix(res.Header.Get("Content-Type"), "text/markdown") {
		t.Errorf("Markdown is %q", res.Header.Get("Content-Type"))
	}
}
