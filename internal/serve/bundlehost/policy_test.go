package bundlehost

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// C5: serve-bundle sends the same policy as the server for the bundle's list of external sources.
func TestContentPolicyIncludesBundleSources(t *testing.T) {
	site := siteOf("v1")
	site["404.html"] = `<script data-mark="_lectern/root.css">look()</script>`
	site[capability.SourcesFile] = `{"script": ["https://w.example", "'unsafe-inline'", "https://x.example; object-src *"],
		"object": ["https://o.example"]}`
	archive := newOrigin(t, packed(t, "v1", site)).URL
	for _, external := range []bool{true, false} {
		allow := csp.Allow{}
		if external {
			allow.Add("script", "https://w.example")
		}
		r := start(t, archive, setup{dir: t.TempDir(), external: external})
		r.ready(t)
		for range 2 { // the second time from the cache
			for _, path := range []string{"/", "/guides/start", "/index.md"} {
				resp, _ := r.get(t, path)
				if got := resp.Header.Get("Content-Security-Policy"); got != (csp.Page{Allow: allow}).Policy() {
					t.Errorf("external %v, %s: %s", external, path, got)
				}
			}
			resp, _ := r.get(t, "/nowhere")
			got := resp.Header.Get("Content-Security-Policy")
			if strings.Contains(got, "https://w.example") != external || !strings.Contains(got, "'sha256-") ||
				strings.Contains(got, "unsafe") {
				t.Errorf("external %v, a missing page: %s", external, got)
			}
		}
		if resp, _ := r.get(t, "/drawing.svg"); !strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "sandbox;") {
			t.Errorf("a picture: %s", resp.Header.Get("Content-Security-Policy"))
		}
	}
}
