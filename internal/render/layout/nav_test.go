package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

// guide returns a site with most kinds of navigation: two languages, versions, tabs with a menu, a group with its own
// page.
func guide() *site.Site {
	s := &site.Site{Settings: site.Settings{Name: "N"}}
	node := func(p string) *site.Node {
		s.Pages = append(s.Pages, &site.Page{Path: p, Title: "T " + p, Description: "About " + p, Listed: true})
		return &site.Node{Kind: site.KindPage, Page: p}
	}
	group := func(title string, children ...*site.Node) *site.Node {
		return &site.Node{Kind: site.KindGroup, Title: title, Children: children}
	}
	own := group("Own", node("en/v2/own/a"), node("en/v2/own/b"))
	own.Page = "en/v2/own"
	node("en/v2/own")
	rest := &site.Node{Kind: site.KindMenu, Title: "REST", Children: []*site.Node{node("en/v2/rest")}}
	rest.SetDetails(site.NodeDetails{Text: "Over HTTP"})
	blog := &site.Node{Kind: site.KindAnchor, Title: "Blog", Href: "https://blog.example.com", Global: true}
	blog.SetDetails(site.NodeDetails{Color: site.Pair{Light: "#ff0000", Dark: "#00ff00"}})
	v2 := &site.Node{Kind: site.KindVersion, Title: "v2", Default: true, Children: []*site.Node{
		{Kind: site.KindTab, Title: "Guides",
			Children: []*site.Node{group("Start", node("en/v2/intro"), own, group("Deep", node("en/v2/deep")))}},
		{Kind: site.KindTab, Title: "Reference", Children: []*site.Node{
			rest,
			{Kind: site.KindMenu, Title: "SDK", Children: []*site.Node{node("en/v2/sdk")}},
		}},
	}}
	v1 := &site.Node{Kind: site.KindVersion, Title: "v1",
		Children: []*site.Node{group("Old", node("en/v1/first"), node("en/v1/intro"))}}
	s.Nav = []*site.Node{
		{Kind: site.KindLanguage, Title: "en", Default: true, Children: []*site.Node{v2, v1}},
		{Kind: site.KindLanguage, Title: "de", Children: []*site.Node{group("Anfang", node("de/v2/intro"))}},
		{Kind: site.KindLanguage, Title: "fr", Hidden: true, Children: []*site.Node{node("fr/v2/intro")}},
		{Kind: site.KindTab, Title: "Forum", Href: "https://forum.example.com", Global: true},
		blog,
	}
	for i := range s.Pages { // Find needs order
		for j := i; j > 0 && s.Pages[j-1].Path > s.Pages[j].Path; j-- {
			s.Pages[j-1], s.Pages[j] = s.Pages[j], s.Pages[j-1]
		}
	}
	return s
}

func render(s *site.Site, a Assets, path string) string {
	return string(New(s, a, nil).Render(Page{Page: s.Find(path), Links: plain{},
		Canonical: "https://d.example.com/" + path, Twin: path + ".md"}))
}

func has(t *testing.T, html string, all ...string) {
	t.Helper()
	html = withoutContract(html)
	for _, want := range all {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func lacks(t *testing.T, html string, all ...string) {
	t.Helper()
	for _, not := range all {
		if strings.Contains(html, not) {
			t.Errorf("the page holds %s", not)
		}
	}
}

func TestSwitchersLinkToSamePageInOtherVariant(t *testing.T) {
	html := render(guide(), Assets{}, "en/v2/intro")
	has(t, html,
		`<summary aria-label="Version: v2">`, `<a href="/en/v1/intro"><span class="face">v1</span></a>`,
		`<a href="/de/v2/intro" lang="de" hreflang="de"><span class="face">Deutsch</span></a>`,
		`<a href="/en/v2/intro" lang="en" hreflang="en" aria-current="true">`)
	lacks(t, html, "Français", ">fr<")
	// v1 does not have that page, so the link leads to its first page
	has(t, render(guide(), Assets{}, "en/v2/deep"), `<a href="/en/v1/first"><span class="face">v1</span></a>`)
}

func TestTabsHaveMenusAndGlobalTabsAppearEverywhere(t *testing.T) {
	s := guide()
	html := render(s, Assets{}, "en/v2/sdk")
	has(t, html, `<details class="menu"><summary aria-current="true">Reference<div></div></summary>`, `<small>Over HTTP</small>`,
		`<a href="/en/v2/sdk" aria-current="true"><span class="face">SDK</span></a>`,
		`<a href="https://forum.example.com">Forum</a>`)
	for _, path := range []string{"en/v2/intro", "en/v1/intro", "de/v2/intro"} {
		has(t, render(s, Assets{}, path), `<a href="https://forum.example.com">Forum</a>`,
			`<a href="https://blog.example.com">Blog</a>`)
	}
}

func TestGroupWithPageIsExpandableLink(t *testing.T) {
	s := guide()
	html := render(s, Assets{}, "en/v2/intro")
	has(t, html, `<li class="branch"><a href="/en/v2/own">Own</a><details><summary aria-label="Own">`,
		`<li><details><summary>Deep</summary>`)
	has(t, render(s, Assets{}, "en/v2/own"), `<a href="/en/v2/own" aria-current="page">Own</a><details open>`)
	yes := true
	s.Drilldown = &yes
	html = render(s, Assets{}, "en/v2/intro")
	has(t, html, `<li class="closed"><a href="/en/v2/own">Own</a></li>`,
		`<li class="closed"><a href="/en/v2/deep">Deep</a></li>`)
}

func TestGroupPageListsItsPages(t *testing.T) {
	s := guide()
	own := s.Nav[0].Children[0].Children[0].Children[0].Children[1]
	own.SetDetails(site.NodeDetails{Listing: "card"})
	has(t, render(s, Assets{}, "en/v2/own"), `<div class="listing directory">`,
		`<a class="card-link" href="/en/v2/own/a">T en/v2/own/a</a></p><p class="card-text">About en/v2/own/a</p>`)
	lacks(t, render(s, Assets{}, "en/v2/own/a"), `class="listing`)
	own.SetDetails(site.NodeDetails{Listing: "accordion"})
	has(t, render(s, Assets{}, "en/v2/own"), `<details class="accordion directory-group"><summary>`, "About en/v2/own/b")
}

func TestBreadcrumbsShowAllAncestors(t *testing.T) {
	s := guide()
	has(t, render(s, Assets{}, "en/v2/deep"), `<p class="eyebrow" data-platform>Deep</p>`)
	s.Styling.Breadcrumbs = true
	has(t, render(s, Assets{}, "en/v2/deep"), `<li><a href="/en/v2/intro">Start</a></li><li>Deep</li>`,
		`<li><a href="/en/v2/intro">Guides</a></li>`)
}

// The size of a page's frame does not depend on the size of the site, even with every kind of list at its largest
// (10,000 pages).
func TestPageSizeIsBoundedForTenThousandPages(t *testing.T) {
	const pages = 10_000
	const most = 32 << 10 // bytes, without the text
	shapes := map[string]func() *site.Site{
		"one group": func() *site.Site { return flat(pages, false) },
		"groups":    func() *site.Site { return flat(pages, true) },
		"tabs": func() *site.Site {
			s := flat(pages, true)
			for _, n := range s.Nav {
				*n = site.Node{Kind: site.KindTab, Title: "Tab",
					Children: []*site.Node{{Kind: site.KindGroup, Title: "G", Children: n.Children}}}
			}
			return s
		},
		"versions": func() *site.Site {
			s := flat(pages, true)
			for i, n := range s.Nav {
				n.Kind, n.Title = site.KindVersion, fmt.Sprint("v", i)
			}
			return s
		},
		"deep": func() *site.Site {
			s := flat(pages, true)
			for _, n := range s.Nav {
				n.Expanded, n.Page = true, n.Children[0].Page
				n.SetDetails(site.NodeDetails{Listing: "accordion"})
			}
			s.Nav = []*site.Node{{Kind: site.KindGroup, Title: "Top", Children: s.Nav}}
			return s
		},
	}
	for name, shape := range shapes {
		s := shape()
		f := New(s, Assets{Search: "s.js", Index: "i.js"}, nil)
		for _, i := range []int{0, pages / 2, pages - 1} {
			n := len(f.Render(Page{Page: s.Pages[i], Links: plain{}}))
			t.Logf("%s: page %d has %d bytes", name, i, n)
			if n > most {
				t.Errorf("%s: page %d has %d bytes, at most %d", name, i, n, most)
			}
		}
	}
}

// The pages of a large section refer to the file with its whole tree, which does not depend on the page.
func TestLargeSectionHasOneTreeFile(t *testing.T) {
	s := flat(1000, true)
	f := New(s, Assets{}, nil)
	files := f.Sections(plain{})
	if len(files) != 1 || files[0].Path != "_lectern/nav/1.js" {
		t.Fatalf("%d files", len(files))
	}
	for _, p := range s.Pages {
		if !strings.Contains(string(files[0].Data), `href=\"/`+p.Path+`\"`) {
			t.Errorf("the tree lacks %s", p.Path)
		}
	}
	has(t, render(s, Assets{}, s.Pages[0].Path), `data-tree="/_lectern/nav/1.js"`, `<li class="closed" data-part="2">`)
	if small := New(flat(100, true), Assets{}, nil); small.Sections(plain{}) != nil {
		t.Error("a small section has a file")
	}
}

// Folders do not need to be named after their versions, and a page that two versions list belongs to the first of them.
func TestVersionSwitcherFollowsFolders(t *testing.T) {
	s := &site.Site{Settings: site.Settings{Name: "N"}}
	version := func(title string, pages ...string) {
		n := &site.Node{Kind: site.KindVersion, Title: title}
		for _, p := range pages {
			if title == "Latest" || p != "shared" {
				s.Pages = append(s.Pages, &site.Page{Path: p, Title: p, Listed: true})
			}
			n.Children = append(n.Children, &site.Node{Kind: site.KindPage, Page: p})
		}
		s.Nav = append(s.Nav, n)
	}
	version("Latest", "shared", "start", "guides/a", "guides/new")
	version("Version 1.0", "shared", "old/v1/start", "old/v1/guides/a")
	slices.SortFunc(s.Pages, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) })
	for page, want := range map[string]string{
		"guides/a":        `<a href="/old/v1/guides/a"><span class="face">Version 1.0</span></a>`,
		"guides/new":      `<a href="/old/v1/start"><span class="face">Version 1.0</span></a>`,
		"shared":          `<a href="/old/v1/start"><span class="face">Version 1.0</span></a>`,
		"old/v1/guides/a": `<a href="/guides/a"><span class="face">Latest</span></a>`,
	} {
		has(t, render(s, Assets{}, page), want)
	}
}
