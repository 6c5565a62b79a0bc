package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/link"
)

func TestSiteWithoutMathShowsDollarSigns(t *testing.T) {
	page := "---\ntitle: A\n---\n\nIt costs $5 & not <$6, $x^2$.\n\n$$\na < b\n$$\n"
	for setting, want := range map[string]struct{ has, lacks string }{
		`"styling": {"latex": false}`: {"$5 &amp; not &lt;$6, $x^2$", "katex"},
		`"styling": {"latex": true}`:  {"<math", "$x^2$."},
	} {
		out, report := build(t, files(map[string]string{"docs.json": `{"name": "x", "navigation": ["index"], ` +
			setting + `}`, "index.mdx": page}), Options{Links: link.Relative})
		html := out.files["index.html"]
		if report.Failed > 0 || !strings.Contains(html, want.has) || strings.Contains(html, want.lacks) {
			t.Errorf("%s: %v\n%s", setting, report.Diagnostics, html)
		}
	}
}
