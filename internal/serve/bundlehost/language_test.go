package bundlehost

import (
	"net/http"
	"strings"
	"testing"
)

// The first page is in the reader's language, whatever other readers got before.
func TestFirstPageOfBundleMatchesReaderLanguage(t *testing.T) {
	for _, base := range []string{"", "/docs"} {
		site := siteOf("v1")
		site["_lectern/languages.json"] = `[{"language":"en","page":"index"},{"language":"de","page":"de/index"},{"language":"fr","page":"fr/start"}]`
		site["de/index.html"], site["fr/start.html"] = "<p>Willkommen</p>", "<p>Bonjour</p>"
		r := start(t, newOrigin(t, packed(t, "v1", site)).URL, setup{dir: t.TempDir(), base: base})
		r.ready(t)
		for range 2 { // the second time from the cache, if anything is cached
			for _, c := range []struct{ path, header, want string }{
				{"/", "X-Nothing: x", ""}, {"/", "Accept-Language: en", ""}, {"/", "Accept-Language: de-AT", "/de/"},
				{"/?a=1", "Accept-Language: fr", "/fr/start?a=1"},
				{"/guides/start", "Accept-Language: fr", ""}, {"/", "Accept-Language: ja", ""},
				{"/", "Cookie: lectern-language=fr", "/fr/start"},
			} {
				resp, body := r.get(t, base+c.path, c.header)
				if c.want == "" {
					if resp.StatusCode != http.StatusOK || !strings.Contains(body, "of v1") {
						t.Errorf("%s %s: %d %.60q", c.path, c.header, resp.StatusCode, body)
					}
				} else if resp.StatusCode != http.StatusTemporaryRedirect ||
					resp.Header.Get("Location") != base+c.want ||
					resp.Header.Get("Cache-Control") != "private, no-store" {
					t.Errorf("%s %s: %d %v", c.path, c.header, resp.StatusCode, resp.Header)
				}
				vary := strings.Join(resp.Header.Values("Vary"), ", ")
				if root := c.path != "/guides/start"; strings.Contains(vary, "Accept-Language, Cookie") != root {
					t.Errorf("%s %s: Vary is %q", c.path, c.header, vary)
				}
			}
		}
		if resp, body := r.get(t, base+"/de/"); resp.StatusCode != http.StatusOK ||
			!strings.Contains(body, "Willkommen") {
			t.Errorf("the German page: %d %q", resp.StatusCode, body)
		}
	}
}
