package layout

import (
	"regexp"
	"strings"
	"testing"
)

var (
	contractTitle = regexp.MustCompile(`<span class="nav-(?:dropdown-item-title|tag-pill-text)">([^<]*)</span>`)
	contractClass = regexp.MustCompile(`(class="[^"]*?) ?\b(?:nav-dropdown-[\w-]+|(?:mobile-)?nav-tabs-item|nav-anchors?|` +
		`pagination-\w+|breadcrumb-\w+|nav-tag-pill|method-nav-pill|sidebar-group|sidebar-group-header|sidebar-title|` +
		`not-found-[\w-]+)([ "])`)
	contractAttribute = regexp.MustCompile(` (?:class=""|data-active="true"|id="(?:banner|page-title|footer|sidebar-group)")`)
)

// withoutContract removes the names that are in the HTML only for authors' CSS and scripts; package contract has its
// own tests.
func withoutContract(html string) string {
	html = contractTitle.ReplaceAllString(html, "$1")
	for contractClass.MatchString(html) {
		html = contractClass.ReplaceAllString(html, "$1$2")
	}
	return contractAttribute.ReplaceAllString(strings.ReplaceAll(html, `class=" `, `class="`), "")
}

func TestHeadingKeepsContractID(t *testing.T) {
	s := divided()
	page := string(New(s, Assets{}, nil).Render(Page{Page: s.Find("a"), Links: plain{},
		HTML: []byte(`<h2 id="footer">Footer</h2><h2 id="sidebar">Sidebar</h2><p id="other">`)}))
	for _, id := range []string{"footer", "sidebar", "navbar"} {
		if n := strings.Count(page, ` id="`+id+`"`); n != 1 {
			t.Errorf("%d elements have the id %s", n, id)
		}
	}
	has(t, page, `<footer class="footer">`, `<nav class="sidebar" aria-label`)
}
