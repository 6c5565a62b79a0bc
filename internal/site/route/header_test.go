package route

import (
	"strings"
	"testing"
)

// C5, F5: a page may show images and play sounds from an API's response, but never run code from a blob.
func TestPagePolicyAllowsBlobsOnlyForMedia(t *testing.T) {
	for part := range strings.SplitSeq(PagePolicy, ";") {
		name, sources, _ := strings.Cut(strings.TrimSpace(part), " ")
		blob := strings.Contains(sources, "blob:")
		if want := name == "img-src" || name == "media-src"; blob != want {
			t.Errorf("%s %s: allows blobs: %v", name, sources, blob)
		}
		if strings.HasPrefix(name, "script") && sources != "'self'" || name == "style-src" && sources != "'self'" {
			t.Errorf("%s %s", name, sources)
		}
	}
}
