package layout

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/web/npm"
)

func TestLayoutUsesLanguageOfPage(t *testing.T) {
	s := guide()
	html := render(s, Assets{Search: "s.js", Index: "i.js"}, "de/v2/intro")
	has(t, html, `<html lang="de"`, "Zum Inhalt springen", `data-hint="Suchen…"`, `data-language="de"`,
		`data-words="{&quot;`, "Kopieren")
	lacks(t, render(s, Assets{}, "en/v2/intro"), "data-words")
	hidden := &site.Page{Path: "de/other", Title: "O"} // outside navigation, but in the folder of a language
	has(t, string(New(s, Assets{}, nil).Render(Page{Page: hidden, Links: plain{}})), `<html lang="de"`)
}

func TestLanguageMayOverrideNavbarAndFooter(t *testing.T) {
	s := guide()
	s.Chrome = site.Chrome{Navbar: site.Navbar{Links: []site.Link{{Label: "Pricing", Href: "/p"}}},
		Footer: site.Footer{Socials: []site.Link{{Label: "Net", Href: "/n"}}}}
	own := &site.Chrome{Navbar: site.Navbar{Links: []site.Link{{Label: "Preise", Href: "/q"}}},
		Banner: &site.Banner{Content: "Hallo"}}
	s.Nav[1].SetDetails(site.NodeDetails{Chrome: own})
	german := New(s, Assets{}, nil).
		Render(Page{Page: s.Find("de/v2/intro"), Links: plain{}, Banner: []byte("<p>Hallo</p>")})
	has(t, string(german), "Preise", ">Net</a>", `class="site-banner"`)
	english := render(s, Assets{}, "en/v2/intro")
	has(t, english, "Pricing")
	lacks(t, english, "Preise", "site-banner")
}

func TestDismissedBannerReturnsWhenTextChanges(t *testing.T) {
	s := guide()
	id := func(content string, dismissible bool) string {
		s.Banner = &site.Banner{Content: content, Dismissible: dismissible, Type: "warning"}
		html := string(New(s, Assets{}, nil).
			Render(Page{Page: s.Find("en/v2/intro"), Links: plain{}, Banner: []byte("<p>x</p>")}))
		has(t, html, `class="site-banner" role="region"`, `data-type="warning"`)
		_, rest, _ := strings.Cut(html, `<html lang="en" data-theme="mint" data-appearance="" data-notice="`)
		id, _, _ := strings.Cut(rest, `"`)
		if strings.Contains(html, "data-dismiss") != dismissible ||
			strings.Count(html, `="`+id+`"`) != 2 && dismissible {
			t.Errorf("%q: the id is in the wrong places", content)
		}
		return id
	}
	if a, b, c := id("one", true), id("one", true), id("two", true); a == "" || a != b || a == c ||
		id("one", false) != "" {
		t.Errorf("ids %q %q %q", a, b, c)
	}
}

func TestPageModesHideParts(t *testing.T) {
	s := guide()
	p := s.Find("en/v2/intro")
	parts := map[string]string{"title": `class="title-row"`, "outline": `class="outline"`, "footer": `class="footer"`,
		"paging": `class="paging"`}
	for mode, want := range map[string]string{"": "title outline footer paging",
		"assistant": "title outline footer paging", "wide": "title footer paging", "center": "title footer paging",
		"custom": "", "frame": "", "nonsense": "title outline footer paging"} {
		p.SetDetails(site.PageDetails{Mode: mode})
		html := render(s, Assets{}, p.Path)
		for name, sign := range parts {
			if strings.Contains(html, sign) != strings.Contains(want, name) {
				t.Errorf("mode %q: %s is %v", mode, name, strings.Contains(html, sign))
			}
		}
		if strings.Count(html, "<h1") != 1 {
			t.Errorf("mode %q has no title for screen readers", mode)
		}
	}
}

func TestPageShowsLastModifiedDate(t *testing.T) {
	s := guide()
	p := s.Find("en/v2/intro")
	f := New(s, Assets{}, nil)
	at := func() string {
		return string(f.Render(Page{Page: p, Links: plain{}, Modified: time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC)}))
	}
	yes, no := true, false
	lacks(t, at(), `class="updated"`)
	p.SetDetails(site.PageDetails{Timestamp: &yes})
	has(t, at(), `Last updated <time datetime="2026-03-04">4 March 2026</time>`)
	s.Timestamps = true
	p.SetDetails(site.PageDetails{Timestamp: &no})
	lacks(t, at(), `class="updated"`)
	p.SetDetails(site.PageDetails{Updated: "2025-12-01"})
	has(t, at(), `<time datetime="2025-12-01">`)
	p.SetDetails(site.PageDetails{Updated: `last <week>`})
	has(t, at(), "last &lt;week&gt;")
}

func options(names ...string) (m site.Menu) {
	for _, n := range names {
		m.Options = append(m.Options, site.MenuOption{Name: n})
	}
	return m
}

func TestPageMenuOffersApplicableActions(t *testing.T) {
	s := guide()
	s.Menu = options("copy", "view", "claude", "mcp", "add-mcp", "cursor", "vscode", "download-spec", "assistant",
		"download-pdf")
	s.Menu.Options = append(s.Menu.Options, site.MenuOption{Title: "Forum",
		Href: "https://f.example.com/new?url=$page&p=$path", Query: []site.Meta{{Name: "m", Content: "$mcp"}}},
		site.MenuOption{Title: "Bad", Href: "javascript:x"})
	origin := Assets{Origin: "https://d.example.com"}
	html := render(s, origin, "en/v2/intro")
	question := url.QueryEscape("Read https://d.example.com/en/v2/intro.md so that I can ask questions about it.")
	has(t, html, `data-copy-page="/en/v2/intro.md"`, "Copy page", `<a href="/en/v2/intro.md">`,
		`href="https://claude.ai/new?q=`+question+`"`,
		`href="https://f.example.com/new?url=https%3A%2F%2Fd.example.com%2Fen%2Fv2%2Fintro.md&amp;p=%2Fen%2Fv2%2Fintro&amp;m="`)
	lacks(t, html, "cursor:", "vscode:", "data-copy-text", "download", "javascript:", "Bad", "assistant")
	origin.MCP = "https://d.example.com/mcp"
	has(t, render(s, origin, "en/v2/intro"), `data-copy-text="https://d.example.com/mcp"`,
		`data-copy-text="npx add-mcp https://d.example.com/mcp"`,
		`href="cursor://anysphere.cursor-deeplink/mcp/install?`, `href="vscode:mcp/install?`)
	api := New(s, origin, nil).Render(Page{Page: s.Find("en/v2/intro"), Links: plain{}, Spec: "api.yaml", Twin: "x.md"})
	has(t, string(api), `<a href="/api.yaml" download>`)

	none := options()
	s.Find("en/v2/intro").SetDetails(site.PageDetails{Menu: &none})
	lacks(t, render(s, origin, "en/v2/intro"), "page-menu")
	s.Menu.InTOC = true
	if html := render(s, origin, "en/v2/deep"); strings.Index(html, "page-menu") < strings.Index(html,
		`class="outline"`) {
		t.Error("the menu is not next to the outline")
	}
}

func TestHeadContainsMetadata(t *testing.T) {
	s := guide()
	s.SEO.Meta = []site.Meta{{Name: "og:title", Content: "Site's"}, {Name: "google-site-verification", Content: "abc"},
		{Name: "canonical", Content: "https://elsewhere.example.com/docs/"}}
	s.Favicon = site.Pair{Light: "/l.svg", Dark: "/d.svg"}
	p := s.Find("en/v2/intro")
	p.SetDetails(site.PageDetails{Meta: []site.Meta{{Name: "og:title", Content: "Own"},
		{Name: "twitter:site", Content: "@n"}}})
	a := Assets{Origin: "https://d.example.com",
		Canonical: func(page string) string { return "https://d.example.com/" + page }, Llms: "llms.txt",
		Fonts: []string{"f.woff2"}, Styles: []string{"own.css"}, Scripts: []string{"own.js"}, Style: "theme.css"}
	html := string(New(s, a, nil).Render(Page{Page: p, Links: plain{}, Canonical: "https://d.example.com/en/v2/intro",
		Twin: "en/v2/intro.md", Feed: "en/v2/intro.xml",
		Card: "https://d.example.com/card.png", Graph: []byte(`{"name": "</script><script>alert(1)</script>"}`)}))
	has(t, html, `<meta property="og:title" content="Own">`, `<meta name="twitter:site" content="@n">`,
		`<meta name="google-site-verification" content="abc">`,
		`<link rel="canonical" href="https://elsewhere.example.com/docs/en/v2/intro">`,
		`<meta property="og:image" content="https://d.example.com/card.png">`,
		`<meta name="twitter:card" content="summary_large_image">`,
		`<link rel="alternate" hreflang="de" href="https://d.example.com/de/v2/intro">`,
		`<link rel="alternate" hreflang="x-default" href="https://d.example.com/en/v2/intro">`,
		`type="application/rss+xml"`, `type="text/markdown"`,
		`href="/llms.txt"`, `<link rel="preload" as="font" type="font/woff2" crossorigin href="/f.woff2">`,
		`media="(prefers-color-scheme: dark)"`)
	lacks(t, html, "Site&#39;s", "Site's", `hreflang="fr"`, "</script><script>alert")
	if strings.Index(html, "own.css") < strings.Index(html, "theme.css") ||
		!strings.Contains(html, `<script defer src="/own.js">`) {
		t.Error("the author's files do not come after ours")
	}
	_, graph, _ := strings.Cut(html, `<script type="application/ld+json">`)
	graph, _, _ = strings.Cut(graph, "</script>")
	var read map[string]string
	if err := json.Unmarshal([]byte(graph), &read); err != nil || !strings.HasPrefix(read["name"], "</script>") {
		t.Errorf("the graph changed: %v %s", err, graph)
	}
	s.SEO.NoIndex = true
	has(t, render(s, a, "en/v2/deep"), `<meta name="robots" content="noindex">`)
}

func TestCodeFontIsPreloadedOnPagesWithCode(t *testing.T) {
	s := guide()
	f := New(s, Assets{Fonts: []string{"text.woff2"}, CodeFont: "code.woff2"}, nil)
	p := Page{Page: s.Find("en/v2/intro"), Links: plain{}, HTML: []byte("<p>Words.</p>")}
	lacks(t, string(f.Render(p)), "code.woff2")
	p.HTML = []byte("<p>Run <code>x</code>.</p>")
	has(t, string(f.Render(p)), `crossorigin href="/text.woff2">`, `crossorigin href="/code.woff2">`)
}

func TestAuthorColorsAreInStyleSheet(t *testing.T) {
	icons, err := icon.Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	s := guide()
	s.Menu = options("view", "claude", "cursor")
	s.Nav[0].SetDetails(site.NodeDetails{Color: site.Pair{Light: "red;}body{display:none", Dark: "#000"}})
	signs := NewIconSheet(s, icons.Set(""))
	has(t, string(signs.Sheet()), `[data-tone="1"]{--tone:light-dark(#ff0000,#00ff00);--on-tone:light-dark(#000000,#000000)}`, `[data-sign="own:view"]`,
		`[data-sign="own:claude"]`)
	lacks(t, string(signs.Sheet()), "display:none")
	html := string(New(s, Assets{}, signs).Render(Page{Page: s.Find("en/v2/intro"), Links: plain{}}))
	has(t, html, `<a href="https://blog.example.com" data-tone="1">`)
	lacks(t, html, " style=")
}

func TestNotFoundPageUsesSiteSettings(t *testing.T) {
	s := guide()
	html := string(New(s, Assets{}, nil).NotFound(plain{}, "_lectern/nearest.js"))
	has(t, html, "<h1>Page not found</h1>", `<meta name="robots" content="noindex">`, `class="nav-tabs"`)
	lacks(t, html, `aria-current="page"`)
	s.NotFound = site.NotFound{Title: "Lost?", Description: "We are <sorry>."}
	has(t, string(New(s, Assets{}, nil).NotFound(plain{}, "_lectern/nearest.js")), "<h1>Lost?</h1>", "We are &lt;sorry&gt;.")
}

func TestHeadingNamedContentKeepsItsID(t *testing.T) {
	s := divided()
	render := func(html string) string {
		return string(New(s, Assets{}, nil).Render(Page{Page: s.Find("a"), HTML: []byte(html), Links: plain{}}))
	}
	if page := render("<p>text</p>"); !strings.Contains(page, `<div id="content"`) ||
		!strings.Contains(page, `class="skip" href="#content"`) {
		t.Error("the page's text does not have the id content")
	}
	page := render(`<h2 id="content">Content</h2>`)
	if strings.Count(page, ` id="content"`) != 1 || !strings.Contains(page, `<div id="page-content"`) ||
		!strings.Contains(page, `class="skip" href="#page-content"`) {
		t.Error("two elements have the id content, or the skip link leads to the heading")
	}
}
