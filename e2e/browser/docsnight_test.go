//go:build nightly

package browser

import (
	"testing"

	"github.com/lectern-docs/lectern/docs"
)

// C5: our own docs are read from the first page by following the link to the next one. Every page loads into the same
// document, and the browser reports no errors. With -every, they are read to the last page.
func TestOurDocsAreReadFromPageToPage(t *testing.T) {
	t.Parallel()
	p := openURL(t, serveFS(t, docs.Site).URL+"/")
	const next = `document.querySelector('.paging a[rel="next"]')`
	const enough = 20
	read := 1
	for ; (*every || read < enough) && eval[bool](p, next+` !== null`); read++ {
		title := eval[string](p, next+`.querySelector("span").textContent`)
		to := eval[string](p, next+`.pathname`)
		p.markDocument()
		eval[bool](p, `(`+next+`.click(), true)`)
		p.waitFor(`location.pathname === "` + to +
			`" && document.readyState === "complete" && document.querySelector('.sidebar [aria-current="page"]')?.textContent.includes("` + title + `")`)
		p.expectSameDocument(true)
		if read > 1000 {
			t.Fatal("the pages go round in a circle")
		}
	}
	if read < enough {
		t.Errorf("only %d pages were read", read)
	}
	p.checkConsole()
}
