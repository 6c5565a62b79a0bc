package layout

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/icon"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/web/npm"
)

// marked is a site whose entries have icons and methods.
func marked() *site.Site {
	api := func(path, method string, kind site.APIKind) *site.Page {
		return &site.Page{Path: path, Title: "T " + path, Listed: true, API: &site.APIRef{Kind: kind, Method: method}}
	}
	s := &site.Site{Name: "N", Pages: []*site.Page{
		api("a", "GET", site.APIOperation), api("b", "DELETE", site.APIManual), api("c", "WEBHOOK", site.APIWebhook), api("d", "", site.APISchema),
		{Path: "e", Title: "T e", Icon: "rocket", Deprecated: true}, {Path: "f", Title: "T f", Icon: "/img/f.svg"}, {Path: "g", Title: "T g", Icon: "no-such-icon-zzz"},
	}}
	group := &site.Node{Kind: site.KindGroup, Title: "G", Icon: "book"}
	for _, p := range s.Pages {
		group.Children = append(group.Children, &site.Node{Kind: site.KindPage, Page: p.Path})
	}
	s.Nav = []*site.Node{{Kind: site.KindTab, Title: "Guides", Icon: "house", Children: []*site.Node{group}}, {Kind: site.KindTab, Title: "Out", Icon: "house", Href: "https://example.com"}}
	s.Footer.Socials = []site.Link{{Label: "X", Href: "https://x.example.com", Icon: "x"}, {Label: "Nowhere", Href: "https://n.example.com", Icon: "no-such-icon-zzz"}}
	return s
}

func TestNavigationShowsIconsAndHowAnAPIIsCalled(t *testing.T) {
	icons, err := icon.Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	s := marked()
	html := string(New(s, Assets{}, icons.Set("")).Render(Page{Page: s.Find("a"), Links: plain{}}))
	for _, want := range []string{
		`<span class="method" data-method="get" data-platform>GET</span>T a</a>`,
		`<span class="method" data-method="delete" data-platform>DEL</span>T b</a>`,
		`<span class="method" data-method="webhook" data-platform>HOOK</span>T c</a>`,
		`<a href="/d">T d</a>`,
		`data-icon="rocket"`, `<span class="old">T e</span></a>`,
		`<a href="/f"><span class="nav-icon" aria-hidden="true"><img src="/img/f.svg" alt=""></span>T f</a>`,
		`<a href="/g">T g</a>`,
		`data-icon="book"`, `data-icon="x-twitter"`, `aria-label="Nowhere" title="Nowhere">Nowhere</a>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(html, `data-icon="house"`); n != 2 {
		t.Errorf("%d of 2 tabs have their icon", n)
	}
	if bare := string(New(s, Assets{}, nil).Render(Page{Page: s.Find("a"), Links: plain{}})); strings.Contains(bare, "<svg class=\"icon\"") {
		t.Error("icons without a library")
	}
}
