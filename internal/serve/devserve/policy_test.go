package devserve

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// C5: from its first page on, a preview blocks what the site's server will block.
func TestPreviewSendsSitePolicy(t *testing.T) {
	const file = `{"name":"T","navigation":["index"],"security":{"allow":{"script":["https://w.example"]}}}`
	p := open(t, "docs.json", file, "index.mdx", "Welcome.")
	want := csp.Page{Allow: csp.Allow{"script": {"https://w.example"}}}.Policy()
	for _, path := range []string{"/", "/nowhere"} {
		if resp, _ := p.get(path); resp.Header.Get("Content-Security-Policy") != want {
			t.Errorf("%s: %s", path, resp.Header.Get("Content-Security-Policy"))
		}
	}
}
