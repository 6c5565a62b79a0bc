package route

import (
	"strings"
	"testing"
)

// C5, F5: what an API sent back may be seen and heard, but nothing that came as a blob runs.
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
