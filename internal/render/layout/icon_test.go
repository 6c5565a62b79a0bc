package layout

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/web/npm"
)

// marked returns a site with icons and methods on its entries.
func marked() *site.Site {
	api := func(path, method string, kind site.APIKind) *site.Page {
		return &site.Page{Path: path, Title: "T " + path, Listed: true, API: &site.APIRef{Kind: kind, Method: method}}
	}
	s := &site.Site{Settings: site.Settings{Name: "N"}, Pages: []*site.Page{
		api("a", "GET", site.APIOperation), api("b", "DELETE", site.APIManual), api("c", "WEBHOOK", site.APIWebhook),
		api("d", "", site.APISchema),
		{Path: "e", Title: "T e", Icon: "rocket", Deprecated: true}, {Path: "f", Title: "T f", Icon: "/img/f.svg"},
		{Path: "g", Title: "T g", Icon: "no-such-icon-zzz"},
	}}
	s.Pages[0].SidebarTitle = "GET /v1/a"
	group := &site.Node{Kind: site.KindGroup, Title: "G", Icon: "book"}
	for _, p := range s.Pages {
		group.Children = append(group.Children, &site.Node{Kind: site.KindPage, Page: p.Path})
	}
	s.Nav = []*site.Node{{Kind: site.KindTab, Title: "Guides", Icon: "house", Children: []*site.Node{group}},
		{Kind: site.KindTab, Title: "Out", Icon: "house", Href: "https://example.com"}}
	s.Navbar.Links = []site.Link{{Label: "Star", Href: "https://s.example.com", Icon: "star", IconType: "regular"}}
	s.Footer.Socials = []site.Link{{Label: "X", Href: "https://x.example.com", Icon: "x"},
		{Label: "Nowhere", Href: "https://n.example.com", Icon: "no-such-icon-zzz"}}
	return s
}

func TestNavigationShowsIconsAndHTTPMethods(t *testing.T) {
	icons, err := icon.Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	s := marked()
	signs := NewIconSheet(s, icons.Set(""))
	html := string(New(s, Assets{Icons: "icons.css"}, signs).Render(Page{Page: s.Find("a"), Links: plain{}}))
	for _, want := range []string{
		`<span class="method" data-method="get" data-platform>GET</span>/v1/a</a>`,
		`<span class="method" data-method="delete" data-platform>DEL</span>T b</a>`,
		`<span class="method" data-method="webhook" data-platform>HOOK</span>T c</a>`,
		`<a href="/d">T d</a>`,
		`<svg class="nav-icon" data-sign="rocket" aria-hidden="true"></svg></div><span class="old">T e</span></a>`,
		`<a href="/f"><div><span class="nav-icon"><img src="/img/f.svg" alt=""></span></div>T f</a>`,
		`<a href="/g">T g</a>`,
		`<svg class="nav-icon" data-sign="star regular" aria-hidden="true"></svg><span>Star</span></a>`,
		`<svg class="nav-icon sidebar-group-icon" data-sign="book" aria-hidden="true"></svg>G</p>`, `data-sign="fab:x-twitter"`, `<link rel="stylesheet" href="/icons.css">`,
		`aria-label="Nowhere" title="Nowhere">Nowhere</a>`,
	} {
		if !strings.Contains(withoutContract(html), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(html, `data-sign="house"`); n != 4 {
		t.Errorf("%d icons for 2 tabs, want each in the navbar and in the drawer", n)
	}
	if bare := string(New(s, Assets{}, nil).Render(Page{Page: s.Find("a"), Links: plain{}})); strings.Contains(bare,
		"data-sign") {
		t.Error("icons without a library")
	}
	sheet := string(signs.Sheet())
	for _, name := range []string{"rocket", "book", "house", "fab:x-twitter", "star regular"} {
		if n := strings.Count(sheet, `[data-sign="`+name+
			`"]{--sign:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox=`); n != 1 {
			t.Errorf("%s is drawn %d times", name, n)
		}
	}
	if strings.ContainsAny(sheet, "<>#\\") || strings.Contains(sheet, "no-such-icon") {
		t.Error("the sheet contains an unescaped or unknown name")
	}
}

func TestIconNamesCannotBreakOutOfStyleSheet(t *testing.T) {
	icons, err := icon.Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	s := marked()
	for i, evil := range []string{`x"]{}body{display:none}/*`, "</style>", "a\nb", "\\22", strings.Repeat("a", 5000),
		`"><script>`, "star\x00"} {
		s.Pages[i].Icon = evil
		s.Nav[0].Children[0].Children[i].Icon = evil
	}
	sheet := string(NewIconSheet(s, icons.Set("")).Sheet())
	if strings.Contains(sheet, "display:none") || strings.Contains(sheet, "style>") ||
		strings.Contains(sheet, "aaaaaa") || strings.Contains(sheet, "script") {
		t.Errorf("an author's name is in %.300s", sheet)
	}
}
