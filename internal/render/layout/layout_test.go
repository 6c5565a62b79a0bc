package layout

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

// plain writes URLs unchanged.
type plain struct{}

func (plain) Page(page, anchor string) string { return "/" + page }
func (plain) File(file string) string         { return "/" + file }
func (plain) Root() string                    { return "/" }
func (plain) Size(ref string) (int, int) {
	if strings.HasSuffix(ref, ".png") {
		return 100, 50
	}
	return 0, 0
}
func (plain) Address(ref string) string {
	if strings.HasPrefix(ref, "javascript:") {
		return ""
	}
	return ref
}

// flat returns a site with n pages in one group, or in groups of ten.
func flat(n int, grouped bool) *site.Site {
	s := &site.Site{Settings: site.Settings{Name: "N"}}
	for i := range n {
		p := &site.Page{Path: fmt.Sprintf("p%06d", i), Title: fmt.Sprintf("Page %06d", i), Listed: true}
		s.Pages = append(s.Pages, p)
		if len(s.Nav) == 0 || grouped && i%10 == 0 {
			s.Nav = append(s.Nav, &site.Node{Kind: site.KindGroup, Title: "Group"})
		}
		g := s.Nav[len(s.Nav)-1]
		g.Children = append(g.Children, &site.Node{Kind: site.KindPage, Page: p.Path})
	}
	return s
}

func TestPageSizeDoesNotGrowWithSite(t *testing.T) {
	for _, grouped := range []bool{false, true} {
		size := func(n int) int {
			s := flat(n, grouped)
			return len(New(s, Assets{}, nil).Render(Page{Page: s.Pages[n/2], Links: plain{}}))
		}
		if small, large := size(1000), size(20_000); large > small+small/20 {
			t.Errorf("grouped=%v: %d bytes with 1,000 pages, %d with 20,000", grouped, small, large)
		}
	}
}

func TestLongListsShowEntriesAroundCurrentPage(t *testing.T) {
	s := flat(1000, false)
	f := New(s, Assets{}, nil)
	for _, i := range []int{0, 500, 999} {
		html := string(f.Render(Page{Page: s.Pages[i], Links: plain{}}))
		if strings.Count(html, fmt.Sprintf(`<a href="/p%06d" aria-current="page">`, i)) != 1 {
			t.Errorf("page %d is not marked in the sidebar", i)
		}
		if early, late := strings.Contains(html, "Earlier pages"),
			strings.Contains(html, "More pages"); early != (i > 0) || late != (i < 999) {
			t.Errorf("page %d: earlier %v, more %v", i, early, late)
		}
	}
}

func divided() *site.Site {
	page := func(p string) *site.Page { return &site.Page{Path: p, Title: "T " + p, Listed: true} }
	node := func(p string) *site.Node { return &site.Node{Kind: site.KindPage, Page: p} }
	s := &site.Site{Settings: site.Settings{Name: "N"},
		Pages: []*site.Page{page("a"), page("b"), page("c"), page("d"), page("z")}}
	s.Pages[2].Hidden = true
	s.Nav = []*site.Node{
		{Kind: site.KindTab, Title: "Guides", Children: []*site.Node{{Kind: site.KindGroup, Title: "G1",
			Children: []*site.Node{node("a"), node("b"), node("c")}}}},
		{Kind: site.KindTab, Title: "API",
			Children: []*site.Node{{Kind: site.KindVersion, Title: "v1", Children: []*site.Node{node("d")}},
				{Kind: site.KindVersion, Title: "v2", Children: []*site.Node{node("a")}}}},
		{Kind: site.KindTab, Title: "Bad", Href: "javascript:x"},
		{Kind: site.KindAnchor, Title: "Blog", Href: "https://blog.example.com"},
	}
	return s
}

func TestSidebarShowsOnlyCurrentPart(t *testing.T) {
	s := divided()
	f := New(s, Assets{}, nil)
	render := func(p string) string {
		return withoutContract(string(f.Render(Page{Page: s.Find(p), Links: plain{}})))
	}
	a := render("a")
	for _, want := range []string{`<a href="/a" aria-current="true">Guides</a>`, `<a href="/d">API</a>`,
		`<a href="https://blog.example.com">Blog</a>`, `<a class="next" rel="next" href="/b">`, ">G1</p>"} {
		if !strings.Contains(a, want) {
			t.Errorf("page a lacks %s", want)
		}
	}
	for _, not := range []string{`>T d<`, `>T c<`, "javascript:", `rel="prev"`} {
		if strings.Contains(a, not) {
			t.Errorf("page a holds %s", not)
		}
	}
	d := render("d")
	if !strings.Contains(d, `<summary aria-label="Version: v1">`) || strings.Contains(d, ">T b<") ||
		strings.Contains(d, `rel="next"`) {
		t.Errorf("page d: %s", d)
	}
	if z := render("z"); strings.Contains(z, `aria-current="page"`) || !strings.Contains(z, ">T a<") {
		t.Error("a page outside navigation does not get the first part's sidebar")
	}
	if c := render("c"); !strings.Contains(c, `content="noindex"`) {
		t.Error("a hidden page may be indexed")
	}
}

func TestUnnamedGroupHasNoHeading(t *testing.T) {
	for n, want := range map[int]string{
		10:   `<li class="group"><ul><li><a href="/p000000" aria-current="page">Page 000000</a>`,
		1000: "More pages</a>"} {
		s := flat(n, true)
		for _, g := range s.Nav {
			g.Title = ""
		}
		html := withoutContract(string(New(s, Assets{}, nil).Render(Page{Page: s.Pages[0], Links: plain{}})))
		if !strings.Contains(html, want) || strings.Contains(html, "<p></p>") || strings.Contains(html, "\"></a>") {
			t.Errorf("%d pages: %s", n, html)
		}
	}
}

// C5, C6: pages need no inline script or style, and authors' text is escaped everywhere.
func TestAuthorTextIsEscapedEverywhere(t *testing.T) {
	evil := `"><script>alert(1)</script><img src=x onerror='x'>`
	s := divided()
	s.Name, s.Footer = evil, site.Footer{Socials: []site.Link{{Label: evil, Href: evil}},
		Columns: []site.Column{{Header: evil, Items: []site.Link{{Label: evil, Href: evil}}}}}
	s.Navbar = site.Navbar{Links: []site.Link{{Label: evil, Href: evil}}, Primary: &site.Link{Label: evil, Href: evil}}
	s.Logo, s.Favicon, s.Appearance = site.Logo{Light: evil, Dark: evil + "2", Href: evil},
		site.Pair{Light: evil, Dark: evil}, site.Appearance{Default: evil, Strict: true}
	for _, n := range s.Nav {
		n.Title = evil
		n.SetDetails(site.NodeDetails{Tag: evil})
	}
	p := s.Find("a")
	p.Title, p.Description, p.SidebarTitle = evil, evil, evil
	p.SetDetails(site.PageDetails{Tag: evil, Mode: evil, Robots: evil, Updated: evil, Related: []string{"b"},
		Keywords: []string{evil}, Meta: []site.Meta{{Name: "og:" + evil, Content: evil}}})
	s.Find("b").Title, s.SearchHint, s.NotFound = evil, evil, site.NotFound{Title: evil, Description: evil}
	s.Menu = site.Menu{Options: []site.MenuOption{{Name: "copy"}, {Name: "claude"}, {Name: evil}, {Title: evil,
		Description: evil, Icon: "x", Href: "https://" + evil, Query: []site.Meta{{Name: evil, Content: evil}}}}}
	s.Banner, s.Theme = &site.Banner{Content: evil, Type: evil, Dismissible: true,
		Color: site.Pair{Light: evil, Dark: evil}}, evil
	s.SEO.Meta = []site.Meta{{Name: evil, Content: evil}}
	f := New(s, Assets{Style: evil, Site: evil, Boot: evil, Script: evil, Search: evil, Index: evil,
		Styles: []string{evil}, Scripts: []string{evil}, MCP: evil, Origin: evil}, nil)
	page := f.Render(Page{Page: p, Links: plain{}, Outline: []Heading{{2, evil, evil, false}, {3, evil, evil, true}}, Lead: evil,
		Canonical: evil, Twin: evil, Feed: evil, Card: evil, Spec: evil,
		Banner: []byte("<p>b</p>"), Graph: []byte(`{"a": "</script><script>"}`)})
	for _, html := range [][]byte{page, f.NotFound(plain{}, "_lectern/nearest.js"), f.Redirect(plain{}, evil, evil, "_lectern/moved.js"),
		f.NotFoundAnywhere(plain{}, Lost{Mark: evil, Base: evil, Home: evil})} {
		for _, bad := range []string{"<script>", "<img src=x", `""><`, " style=", "<style"} {
			if bytes.Contains(html, []byte(bad)) {
				t.Errorf("%q is in %s", bad, html)
			}
		}
	}
	if n := bytes.Count(page, []byte("<h1")); n != 1 || bytes.Count(page, []byte(` id="content"`)) != 1 {
		t.Errorf("%d titles", n)
	}
}

func TestDocumentSetsLanguageAndDirection(t *testing.T) {
	for code, want := range map[string]string{"fr": `<html lang="fr" data-theme="mint"`,
		"cn": `<html lang="zh-Hans" data-theme`, "ar": `<html lang="ar" dir="rtl"`,
		"he-IL": `<html lang="he-IL" dir="rtl"`} {
		s := divided()
		s.Nav = []*site.Node{{Kind: site.KindLanguage, Title: code, Children: s.Nav}}
		if html := string(New(s, Assets{}, nil).
			Render(Page{Page: s.Find("a"), Links: plain{}})); !strings.Contains(html, want) {
			t.Errorf("%s: no %s in %.80s", code, want, html)
		}
	}
}
