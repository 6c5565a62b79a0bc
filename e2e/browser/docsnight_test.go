//go:build nightly

package browser

import (
	"testing"

	"github.com/lectern-docs/lectern/docs"
)

// C5: the test reads our own docs by following the link to the next page. Every page loads into the same document, and
// the browser reports no errors. With -every, it reads them to the last page.
func TestOurDocsCanBeReadPageByPage(t *testing.T) {
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
			t.Fatal("the links to the next page form a cycle")
		}
	}
	if read < enough {
		t.Errorf("only %d pages were read", read)
	}
	p.checkConsole()
}
