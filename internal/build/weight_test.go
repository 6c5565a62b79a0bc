package build

import (
	"bytes"
	"compress/gzip"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// pageBudget limits the compressed size of a page of text with all the styles and scripts that it loads immediately,
// in bytes.
const pageBudget = 60_000

var loaded = regexp.MustCompile(`<(?:link rel="stylesheet" href|script(?: defer)? src)="([^"]+)"`)

// The first page that a reader opens is small. The limit applies to the compressed HTML, styles and scripts together.
// Pages with formulas or client components load more.
func TestPageSizeStaysWithinBudget(t *testing.T) {
	out, report := build(t, docs.Site, Options{Links: link.Relative, Offers: capability.Offers{Search: true}})
	if report.Failed > 0 {
		t.Fatal(report.Diagnostics)
	}
	for _, name := range []string{"index.html", "quickstart.html", "components/cards.html", "guides/operations.html",
		"reference/site-file.html"} {
		html := out.files[name]
		sum := squeezed(t, html)
		found := loaded.FindAllStringSubmatch(html, -1)
		if len(found) < 3 {
			t.Errorf("%s: only %d styles and scripts found", name, len(found))
		}
		for _, m := range found {
			file := path.Join(path.Dir(name), m[1])
			if len(out.files[file]) == 0 {
				t.Errorf("%s: there is no %s", name, file)
			}
			if !strings.Contains(file, "/island") {
				sum += squeezed(t, out.files[file])
			}
		}
		t.Logf("%s: %d bytes", name, sum)
		if sum > pageBudget {
			t.Errorf("%s weighs %d bytes, at most %d are allowed", name, sum, pageBudget)
		}
	}
}

func squeezed(t *testing.T, data string) int {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
