package browser

import (
	"fmt"
	"strings"
	"testing"
)

// largeSite returns a site with a section of 240 pages in three groups. One contains another group, and one has more
// pages than the sidebar lists at once.
func largeSite() []string {
	pairs := []string{"index.mdx", "---\ntitle: Start\n---\ntext\n"}
	list := func(name string, n int) string {
		var pages []string
		for i := range n {
			page := fmt.Sprintf("%s/p%d", name, i)
			pairs = append(pairs, page+".mdx", fmt.Sprintf("---\ntitle: %s %d\n---\ntext\n", name, i))
			pages = append(pages, `"`+page+`"`)
		}
		return strings.Join(pages, ", ")
	}
	return append(pairs, "docs.json", `{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"groups": [
		{"group": "First", "pages": ["index", `+list("one", 40)+`]},
		{"group": "Second", "pages": [`+list("two", 20)+`, {"group": "Inner", "pages": [`+list("inner", 60)+`]}]},
		{"group": "Third", "pages": [`+list("three", 120)+`]}]}}`)
}

// In a large section, groups open in place, with mouse or keyboard, from one file per section, and stay open when the
// page changes. A shortened list can be expanded. Without that file, the groups' links still work.
func TestLargeSectionGroupsOpenInPlace(t *testing.T) {
	t.Parallel()
	s := serve(t, largeSite()...)
	p := openURL(t, s.URL+"/")
	p.markDocument()
	seen := func(text string) string {
		return `[...document.querySelectorAll(".sidebar li > a")].some((a) => a.textContent === "` + text + `" && a.checkVisibility())`
	}
	p.waitFor(`document.querySelector(".sidebar .closed > a")?.getAttribute("role") === "button" && !` + seen("two 3"))
	p.click(`.sidebar li[data-part="2"] > a`)
	p.waitFor(seen("two 3") + ` && !` + seen("inner 3") + ` && location.pathname === "/"`)
	p.click(`.sidebar li[data-part="3"] summary`)
	p.waitFor(seen("inner 59"))
	eval[bool](p, `(document.querySelector('.sidebar li[data-part="4"] > a').focus(), true)`)
	p.key(" ")
	p.waitFor(seen("three 119") + ` && document.activeElement.matches('li[data-part="4"] summary')`)
	p.follow(`.sidebar a[href$="/three/p110"]`, "three 110")
	p.waitFor(seen("one 3") + ` && ` + seen("two 3") + ` && ` + seen("inner 59") + ` && ` + seen("three 110"))
	p.expectEqual("current page", eval[string](p, `document.querySelector('.sidebar [aria-current="page"]').textContent`), "three 110")
	p.click(`.sidebar li[data-rest="earlier"] > a`)
	p.waitFor(seen("three 0") + ` && document.querySelectorAll('.sidebar li[data-part="4"] li').length === 120`)
	p.expectSameDocument(true)
	if n := s.requestCount("/_lectern/nav/1.js"); n != 1 {
		t.Errorf("the section's file was requested %d times", n)
	}
	p.checkConsole()
}
