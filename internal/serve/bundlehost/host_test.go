package bundlehost

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/route"
)

// B10, C4, C5: the site responds like a published one, both at the root and below a path.
func TestBundleIsServedLikePublishedSite(t *testing.T) {
	o := newOrigin(t, bundleOf(t, "v1"))
	for _, base := range []string{"", "/docs", "/a/b/"} {
		t.Run("base "+base, func(t *testing.T) {
			r := start(t, o.URL, setup{dir: t.TempDir(), base: base})
			r.ready(t)
			r.until(t, "/healthz", "ok")
			base := strings.TrimSuffix(base, "/")
			for _, c := range []struct {
				path   string
				accept string
				status int
				want   string // location or part of the body
			}{
				{"/", "", 200, "home of v1"}, {"/guides/start", "", 200, "start of v1"},
				{"/guides/start.html", "", 308, base + "/guides/start"},
				{"/guides/start/", "", 308, base + "/guides/start"}, {"/index", "", 308, base + "/"},
				{"/team/", "", 200, "team of v1"}, {"/team", "", 308, base + "/team/"},
				{"/team/index.html", "", 308, base + "/team/"}, {"/team/index", "", 308, base + "/team/"},
				{"/guides/start.html?a=1", "", 308, base + "/guides/start?a=1"},
				{"/odd%20name", "", 200, "odd"}, {"/nothing", "", 404, "nothing in v1"},
				{"/nothing", "text/markdown", 404, "(" + base + "/llms.txt)"},
				{"/guides/start", "text/markdown", 200, "# start of v1"},
				{"/guides/start.md", "", 200, "# start of v1"}, {"/../../etc/passwd", "", 404, "nothing in v1"},
				{"/old/deep", "", 307, base + "/guides/start#a"},
				{"/old/deep?q=1", "", 307, base + "/guides/start?q=1#a"}, {"/old/home", "", 307, base + "/"},
				{"/away", "", 307, "https://example.com/q?a=1&b=2"}, {"/trap", "", 200, "moved"},
				{"//evil.example/", "", 404, "nothing in v1"},
				{"/v1/start", "", 308, base + "/guides/start"}, {"/v1/a/b?q=1", "", 308, base + "/guides/a/b?q=1"},
				{"/v1//evil.example", "", 308, base + "/guides/evil.example"}, {"/v1", "", 308, base + "/guides"},
				{"/host/a%5Cb", "", 307, "https://example.com/a%5Cb"}, {"/guides/other", "", 307, base + "/"},
				{"/steer/evil.example", "", 404, "nothing in v1"},
			} {
				resp, body := r.get(t, base+c.path, "Accept: "+c.accept)
				if got := resp.Header.Get("Location") + body; resp.StatusCode != c.status ||
					!strings.Contains(got, c.want) {
					t.Errorf("%s: %d %.80q, want %d %q", c.path, resp.StatusCode, got, c.status, c.want)
				}
				if resp.Header.Get("Content-Security-Policy") != route.PagePolicy ||
					resp.Header.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s: headers %v", c.path, resp.Header)
				}
			}
			resp, _ := r.get(t, base+"/drawing.svg")
			if resp.Header.Get("Content-Security-Policy") != route.FilePolicy {
				t.Errorf("the drawing's policy is %q", resp.Header.Get("Content-Security-Policy"))
			}
			if resp, _ := r.get(t, base+"/guides/start"); !strings.Contains(resp.Header.Get("Link"),
				"<"+base+"/guides/start.md>") {
				t.Errorf("links %q", resp.Header.Get("Link"))
			}
			if resp, _ := r.get(t, "/elsewhere/x"); resp.StatusCode != http.StatusNotFound {
				t.Errorf("outside: %d", resp.StatusCode)
			}
			if base != "" {
				if resp, _ := r.get(t, base); resp.StatusCode != 308 || resp.Header.Get("Location") != base+"/" {
					t.Errorf("the base itself: %d %q", resp.StatusCode, resp.Header.Get("Location"))
				}
			}
		})
	}
}

func TestFilesHaveValidatorsCompressionAndCacheHeaders(t *testing.T) {
	r := start(t, newOrigin(t, bundleOf(t, "v1")).URL, setup{dir: t.TempDir()})
	r.ready(t)
	whole, body := r.get(t, "/", "Accept-Encoding: identity")
	packed, short := r.get(t, "/", "Accept-Encoding: gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" || len(short) >= len(body) ||
		packed.Header.Get("ETag") == whole.Header.Get("ETag") || whole.Header.Get("ETag") == "" {
		t.Errorf("compressed: %v, %d of %d bytes", packed.Header, len(short), len(body))
	}
	if !strings.Contains(strings.Join(whole.Header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("vary %v", whole.Header.Values("Vary"))
	}
	for _, encoding := range []string{"identity", "gzip"} {
		first, _ := r.get(t, "/", "Accept-Encoding: "+encoding)
		if again, body := r.get(t, "/", "Accept-Encoding: "+encoding,
			"If-None-Match: "+first.Header.Get("ETag")); again.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s again: %d %q", encoding, again.StatusCode, body)
		}
	}
	if part, body := r.get(t, "/guides/start.md", "Range: bytes=2-6",
		"Accept-Encoding: identity"); part.StatusCode != http.StatusPartialContent || body != "start" {
		t.Errorf("part: %d %q", part.StatusCode, body)
	}
	if css, _ := r.get(t, "/_lectern/theme."+digits("v1")+".css"); !strings.Contains(css.Header.Get("Cache-Control"),
		"immutable") {
		t.Errorf("the style sheet: %v", css.Header)
	}
	if page, _ := r.get(t, "/"); !strings.Contains(page.Header.Get("Cache-Control"), "must-revalidate") {
		t.Errorf("the page: %v", page.Header)
	}
	resp, err := http.Post(r.URL+"/", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.StatusCode != http.StatusMethodNotAllowed ||
		resp.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("post: %d", resp.StatusCode)
	}
}

func TestInvalidBasePathIsRefused(t *testing.T) {
	for _, base := range []string{"docs", "/a//b", "/../x", "/a b", "/a?b"} {
		if _, err := New(Options{BasePath: base}); err == nil {
			t.Errorf("%q is taken", base)
		}
	}
}
