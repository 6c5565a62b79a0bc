package bundlehost

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/route"
)

// all returns a whole response, received over a real connection, without its date.
func (r *running) all(t *testing.T, method, path string, headers ...string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	sum := sha256.Sum256(body)
	return fmt.Sprintf("%d %v %d %x", resp.StatusCode, resp.Header, resp.ContentLength, sum[:8])
}

// A cached response equals a new one, for every kind of file, reader and condition.
func TestCachedResponseEqualsFirstResponse(t *testing.T) {
	site := siteOf("v1")
	site["large.txt"] = strings.Repeat("a line of a large text\n", 40_000) // too large for the memory cache
	site["large.png"] = strings.Repeat("png", 100_000)
	data := packed(t, "v1", site)
	var asks [][]string
	for _, path := range []string{"/", "/guides/start", "/guides/start.md", "/drawing.svg", "/large.txt", "/large.png",
		"/_lectern/theme." + digits("v1") + ".css", "/nothing", "/old/deep", "/odd%20name", "/404"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, h := range []string{"", "Accept-Encoding: gzip", "Accept: text/markdown",
				"Accept: text/html,*/*;q=0.8", "Range: bytes=3-9", "If-None-Match: *", `If-None-Match: "other"`,
				`If-Match: "other"`, "X-Forwarded-Proto: https"} {
				asks = append(asks, []string{method, path, h})
			}
		}
	}
	ask := func(r *running, a []string) string {
		if a[2] == "" {
			return r.all(t, a[0], a[1])
		}
		return r.all(t, a[0], a[1], a[2])
	}
	r := start(t, newOrigin(t, data).URL, setup{dir: t.TempDir()})
	r.ready(t)
	anew := *r // responses with headers set by other handlers are never cached
	anew.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("X-Outer", "x")
		r.Config.Handler.ServeHTTP(w, req)
	}))
	defer anew.Server.Close()
	for _, a := range asks {
		want := strings.Replace(ask(&anew, a), " X-Outer:[x]", "", 1)
		for range 2 {
			if got := ask(r, a); got != want {
				t.Errorf("%v:\n%s\nwant\n%s", a, got, want)
			}
		}
	}
}

// B13: responses cached for the old version are not used for the new one.
func TestCachedResponsesAreNotReusedForNewVersion(t *testing.T) {
	o := newOrigin(t, bundleOf(t, "v1"))
	r := start(t, o.URL, setup{dir: t.TempDir()})
	r.ready(t)
	for range 3 {
		r.until(t, "/guides/start", "start of v1")
	}
	o.give(bundleOf(t, "v2"))
	r.again <- struct{}{}
	r.until(t, "/", "home of v2")
	if _, body := r.get(t, "/guides/start"); !strings.Contains(body, "start of v2") {
		t.Errorf("after the switch: %s", body)
	}
}

// A large file that is damaged on the volume after it was served once causes an error, never a partial file.
func TestCachedResponseDoesNotHideDamage(t *testing.T) {
	site := siteOf("v1")
	site["large.png"] = strings.Repeat("png", 100_000)
	dir := t.TempDir()
	r := start(t, newOrigin(t, packed(t, "v1", site)).URL, setup{dir: dir})
	r.ready(t)
	if resp, body := r.get(t, "/large.png"); resp.StatusCode != http.StatusOK || len(body) != 300_000 {
		t.Fatal(resp.Status, len(body))
	}
	found, err := filepath.Glob(filepath.Join(dir, "versions", "*", "files", "large.png"))
	if err != nil || len(found) != 1 || os.Truncate(found[0], 100) != nil {
		t.Fatal(found, err)
	}
	if resp, body := r.get(t, "/large.png"); resp.StatusCode != http.StatusInternalServerError ||
		resp.Header.Get("ETag") != "" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("%s %v %d", resp.Status, resp.Header, len(body))
	}
}

// C5, B10: the page for missing paths may run its own script and set the base that it finds; nothing else may.
func TestNotFoundPageMayRunItsOwnScript(t *testing.T) {
	const script = `document.head.prepend("x")`
	site := siteOf("v1")
	site["404.html"] = `<!doctype html><script data-mark="_lectern/root.0123456789.css">` + script +
		`</script><p>nothing</p><script>alert(1)</script>`
	r := start(t, newOrigin(t, packed(t, "v1", site)).URL, setup{dir: t.TempDir(), base: "/docs"})
	r.ready(t)
	sum := sha256.Sum256([]byte(script))
	for _, path := range []string{"/docs/nothing", "/docs/a/b/nothing", "/docs/404"} {
		resp, _ := r.get(t, path)
		policy := resp.Header.Get("Content-Security-Policy")
		if strings.Count(policy, "sha256-") != 1 || !strings.Contains(policy, "script-src 'self' 'sha256-"+
			base64.StdEncoding.EncodeToString(sum[:])+"';") || !strings.Contains(policy, "base-uri 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
	}
	if resp, _ := r.get(t, "/docs/guides/start"); resp.Header.Get("Content-Security-Policy") != route.PagePolicy {
		t.Errorf("another page: %s", resp.Header.Get("Content-Security-Policy"))
	}
}
