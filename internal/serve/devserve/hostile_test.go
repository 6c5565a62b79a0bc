package devserve

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The preview serves the site and nothing else on the machine, whatever is requested and whatever the folder
// contains.
func TestOnlyTheSiteIsServed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, "docs.json", `{"name": "x", "navigation": ["index"]}`, "index.mdx", "Home [a](/a.txt)", "a.txt",
		"plain", ".env", "canary", ".git/config", "canary", "sub/.htpasswd", "canary",
		"node_modules/x/a.txt", "canary", ".lecternignore", "private\n*.key.txt\n", "private/a.txt", "canary",
		"x.key.txt", "canary", "snippets/s.mdx", "canary", "secret.mdx", "---\ngroups: [a]\n---\ncanary")
	if resp, body := p.get("/a.txt"); resp.StatusCode != 200 || body != "plain" {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	// A file that was regular when the folder was read and is now a link out of the folder.
	full := filepath.Join(p.dir, "a.txt")
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, full); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(p.dir, "linked")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/a.txt", "/linked/secret.txt", "/.env", "/.git/config", "/sub/.htpasswd", "/node_modules/x/a.txt",
		"/private/a.txt", "/x.key.txt", "/snippets/s", "/snippets/s.mdx", "/secret", "/secret.md", "/secret.mdx",
		"/docs.json",
		"/..%2f..%2f" + url.PathEscape(outside), "/%2e%2e/%2e%2e" + outside, "/" + outside,
		"/_lectern/dev/..%2f..%2f..%2f.env", "/_lectern/dev/%2e%2e%2fdoc.go", "/_lectern/dev/findings?path=/../.env",
		"/_lectern/dev/findings?path=" + outside,
	} {
		resp, body := p.get(path)
		if strings.Contains(body, "canary") {
			t.Errorf("%s shows a file outside the site", path)
		}
		if resp.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src") {
			t.Errorf("%s: %v", path, resp.Header)
		}
	}
	for _, host := range []string{"evil.example", "evil.example:3000", "localhost.evil.example",
		"127.0.0.1.evil.example", "[::1].evil.example", "xlocalhost"} {
		if resp, body := p.get("/", "Host", host); resp.StatusCode != 403 || strings.Contains(body, "Home") {
			t.Errorf("%s: %d", host, resp.StatusCode)
		}
	}
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"},
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		for _, path := range []string{"/_lectern/dev/findings?path=/", "/_lectern/dev/events"} {
			if resp, _ := p.get(path, headers...); resp.StatusCode != 403 {
				t.Errorf("%s with %v: %d", path, headers, resp.StatusCode)
			}
		}
	}
}
