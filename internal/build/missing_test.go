package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// The 404 page redirects readers to the home page only if the author enables that.
func TestNotFoundPageRedirectsHomeOnlyIfConfigured(t *testing.T) {
	for redirect, want := range map[string]bool{"": false, `"redirect": false`: false, `"redirect": true`: true} {
		src := files(map[string]string{"docs.json": `{"name": "x", "navigation": ["index"], "errors": {"404": {` +
			redirect + `}}}`, "index.mdx": "Hi"})
		for style, mark := range map[link.Style]string{link.Clean: `<meta http-equiv="refresh" content="0; url=/">`,
			link.Relative: ` data-home>`} {
			out, report := build(t, src, Options{Links: style})
			if got := strings.Contains(out.files["404.html"], mark); got != want || len(report.Diagnostics) > 0 {
				t.Errorf("%s: sent home %v, want %v: %v", redirect, got, want, report.Diagnostics)
			}
		}
	}
}
