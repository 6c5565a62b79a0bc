package link

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

func table(style Style) *Table {
	s := &site.Site{
		Pages:  []*site.Page{{Path: "api/index"}, {Path: "guides/my page"}, {Path: "guides/start"}, {Path: "index"}},
		Assets: []site.Asset{{Path: "img/a.png"}},
		Left:   []string{"left/out"},
		Redirects: []site.Redirect{{Source: "/old", Destination: "/guides/start#new"},
			{Source: "/blog/:slug*", Destination: "https://blog.example.com/:slug*"}, {Source: "/x", Destination: "/y"},
			{Source: "/y", Destination: "/x"}},
	}
	return New(s, style, "https://docs.example.com", "index")
}

func TestResolveFindsPagesAssetsAndRedirects(t *testing.T) {
	clean, rel := table(Clean).From("guides/start", "guides/start"), table(Relative).
		From("guides/start", "guides/start")
	for _, c := range []struct {
		ref, clean, relative string
		kind                 Kind
	}{
		{"/", "/", "../index.html", ToPage},
		{"/index", "/", "../index.html", ToPage},
		{"/api", "/api", "../api/index.html", ToPage},
		{"../api/", "/api", "../api/index.html", ToPage},
		{"./start.mdx#a b", "#a%20b", "#a%20b", ToAnchor},
		{"my%20page?x=1#y", "/guides/my%20page?x=1#y", "my%20page.html?x=1#y", ToPage},
		{"/guides/start.html", "/guides/start", "start.html", ToPage},
		{"/img/a.png", "/img/a.png", "../img/a.png", ToFile},
		{"../llms.txt", "/llms.txt", "../llms.txt", ToFile},
		{"#here", "#here", "#here", ToAnchor},
		{"/old", "#new", "#new", ToAnchor},
		{"/blog/a/b", "https://blog.example.com/a/b", "https://blog.example.com/a/b", External},
		{"/left/out#z", "https://docs.example.com/left/out#z", "https://docs.example.com/left/out#z", Elsewhere},
		{"/nope", "/nope", "../nope.html", Broken},
		{"nope.png", "/guides/nope.png", "nope.png", Broken},
		{"/x", "/y", "../y.html", Broken}, // a redirect loop
		{"../../../../etc/passwd", "/etc/passwd", "../etc/passwd.html", Broken},
		{"//cdn.example.com/a", "https://cdn.example.com/a", "https://cdn.example.com/a", External},
		{"https:example.com/a", "https://example.com/a", "https://example.com/a", External},
		{"HTTP://EXAMPLE.com", "http://EXAMPLE.com", "http://EXAMPLE.com", External},
		{"mailto:a@example.com", "mailto:a@example.com", "mailto:a@example.com", External},
		{"http:///example.com/a", "http://example.com/a", "http://example.com/a", External},
		{`http://example.com/opt\_out`, "http://example.com/opt%5C_out", "http://example.com/opt%5C_out", External},
		{"wss://example.com/feed", "wss://example.com/feed", "wss://example.com/feed", External},
		{"https://a b\"<", "https://a%20b%22%3C", "https://a%20b%22%3C", External},
	} {
		got := clean.Resolve(c.ref)
		if got.Href != c.clean || got.Kind != c.kind {
			t.Errorf("clean %q = %+v, want %q", c.ref, got, c.clean)
		}
		if got := rel.Resolve(c.ref); got.Href != c.relative || got.Kind != c.kind {
			t.Errorf("relative %q = %+v, want %q", c.ref, got, c.relative)
		}
	}
}

// C6: URLs are http, https, mailto or paths.
func TestUnsafeAddressesAreNeverWritten(t *testing.T) {
	from := table(Clean).From("guides/start", "guides/start")
	for _, ref := range []string{
		"javascript:alert(1)", "JAVASCRIPT:x", " javascript:x", "java\nscript:x", "java\tscript:x", "\x01javascript:x",
		"vbscript:x", "data:text/html,x", "file:///etc/passwd",
		"blob:x", "intent:x", "a\\b", "/\\evil.com", "http:\\\\evil", "http://a\\@evil/", "https://\\evil/",
		"https:///\\evil/", "x\x00y", "\xff", "https://", "view-source:x", strings.Repeat("a", maxRef+1),
	} {
		if got := from.Resolve(ref); got.Kind != Unsafe || got.Href != "" {
			t.Errorf("%q = %+v", ref, got)
		}
	}
	for _, ref := range []string{"java script:x", ":x", "1:2", "./javascript:x", "%6aavascript:x"} { // unusual, but valid paths
		if got := from.Resolve(ref); got.Kind != Broken || strings.HasPrefix(got.Href, "j") {
			t.Errorf("%q = %+v", ref, got)
		}
	}
}

func TestRootPageCopyLinksFromRoot(t *testing.T) {
	from := table(Relative).From("guides/start", "index")
	for ref, want := range map[string]string{"my page": "guides/my%20page.html", "/img/a.png": "img/a.png",
		"#x": "#x"} {
		if got := from.Resolve(ref).Href; got != want {
			t.Errorf("%q = %q, want %q", ref, got, want)
		}
	}
}

func TestRedirectExpressionsRestrictMatches(t *testing.T) {
	r := NewRedirects([]site.Redirect{
		{Source: "/:os(home|etc)/:rest*", Destination: "/help/:os/:rest*"}, {Source: "/data-:rest(.*)",
			Destination: "/node/:rest"}, {Source: "/v:n(\\d+)/x", Destination: "/version/:n"},
		{Source: "/broken/:a(", Destination: "/no"}, {Source: "/broken/:a([)", Destination: "/no"},
		{Source: "/any(thing)", Destination: "/exact"}, {Source: "/:x(a/b)", Destination: "/no"},
	})
	for in, want := range map[string]string{
		"/home/a/b": "/help/home/a/b", "/etc": "/help/etc", "/data-1/2": "/node/1/2", "/data-": "/node",
		"/v12/x": "/version/12", "/any(thing)": "/exact",
		"/guides/start": "", "/homes/a": "", "/va/x": "", "/data": "", "/broken/x": "", "/a/b": "",
	} {
		if got, _, ok := r.Match(in); got != want || ok != (want != "") {
			t.Errorf("Match(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func TestRedirectsMatch(t *testing.T) {
	r := NewRedirects([]site.Redirect{
		{Source: "/a", Destination: "/b", Permanent: true},
		{Source: "/docs/:slug*", Destination: "/:slug*"},
		{Source: "/v1-*", Destination: "/v2-*"},
		{Source: "/user/:id/edit", Destination: "/people/:id"},
		{Source: "/deep/:rest*/end", Destination: "/shallow/:rest*"},
		{Source: "/files/*", Destination: "https://files.example.com/*"},
		{Source: "/docs/late", Destination: "/exact-wins"},
	})
	for in, want := range map[string]string{
		"/a": "/b", "/a/": "/b", "a": "/b", "/docs": "/", "/docs/x/y": "/x/y", "/docs/late": "/exact-wins",
		"/v1-alpha/b": "/v2-alpha/b", "/user/7/edit": "/people/7",
		"/deep/end": "/shallow", "/deep/a/b/end": "/shallow/a/b", "/files/a b": "https://files.example.com/a%20b",
		"/docs//evil.com": "/evil.com", "/docs/%2f%2fevil.com": "/%252f%252fevil.com", "/docs/a/../../b": "",
		"/docs/\\evil": "/%5Cevil", "/docs/x\r\ny": "/x%0D%0Ay",
	} {
		got, _, ok := r.Match(in)
		if got != want || ok != (want != "") {
			t.Errorf("Match(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"/", "/b", "/v1", "/user/7", "/user/7/8/edit", "/deep/a"} {
		if got, _, ok := r.Match(in); ok {
			t.Errorf("Match(%q) = %q", in, got)
		}
	}
	if _, permanent, _ := r.Match("/a"); !permanent {
		t.Error("permanence was lost")
	}
}

func TestSitemapSplitsLargeSitesAndEscapes(t *testing.T) {
	tab := table(Clean)
	files := func(pages []SitemapPage) (out []SitemapFile) {
		_ = tab.Sitemap(pages, func(f SitemapFile) error { out = append(out, f); return nil })
		return out
	}
	day := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	one := files([]SitemapPage{{Page: "index", Modified: day},
		{Page: "api/index", Alternates: []Alternate{{`e"n`, "api/index"}, {"fr", "a&b"}}}, {Page: "a&b"}})
	for _, want := range []string{
		"<loc>https://docs.example.com/a&amp;b</loc>", "<loc>https://docs.example.com/api</loc>",
		"<lastmod>2026-03-04T04:06:07Z</lastmod>",
		`<xhtml:link rel="alternate" hreflang="fr" href="https://docs.example.com/a&amp;b"/>`, `hreflang="e&#34;n"`,
	} {
		if len(one) != 1 || !strings.Contains(string(one[0].Data), want) {
			t.Errorf("no %s in %s", want, one[0].Data)
		}
	}
	pages := make([]SitemapPage, sitemapMax+1)
	for i := range pages {
		pages[i].Page = fmt.Sprintf("p%d", i)
	}
	many := files(pages)
	if len(many) != 3 || many[1].Path != "sitemap-2.xml" || strings.Count(string(many[1].Data), "<url>") != 1 ||
		many[2].Path != "sitemap.xml" ||
		!strings.Contains(string(many[2].Data), "<loc>https://docs.example.com/sitemap-2.xml</loc>") {
		t.Errorf("%d files", len(many))
	}
	if empty := files(nil); len(empty) != 1 || strings.Contains(string(empty[0].Data), "<url>") {
		t.Errorf("%v", empty)
	}
}

func TestRobotsAllowsOrForbidsIndexing(t *testing.T) {
	open, closed := string(table(Clean).Robots(false)), string(table(Clean).Robots(true))
	for _, want := range []string{"Content-Signal: search=yes, ai-input=yes, ai-train=no\n", "Allow: /\n",
		"Sitemap: https://docs.example.com/sitemap.xml\n"} {
		if !strings.Contains(open, want) {
			t.Errorf("no %q in %q", want, open)
		}
	}
	if closed != "User-agent: *\nDisallow: /\n" {
		t.Errorf("%q", closed)
	}
}

func TestMarkdownPagesLinkToMarkdownPages(t *testing.T) {
	for _, c := range []struct {
		style     Style
		ref, want string
	}{
		{Clean, "/api#x y", "https://docs.example.com/api/index.md#x%20y"}, {Clean, "#a", "#a"},
		{Clean, "https://x.example/?a=b", "https://x.example/?a=b"},
		{Clean, "/llms.txt", "https://docs.example.com/llms.txt"}, {Clean, "javascript:x", ""},
		{Clean, "/nowhere", "https://docs.example.com/nowhere"},
		{Relative, "/api", "../api/index.md"}, {Relative, "/llms.txt", "../llms.txt"},
	} {
		from := table(c.style).From("guides/start", "guides/start")
		if got := from.Markdown(from.Resolve(c.ref)); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.style, c.ref, got, c.want)
		}
	}
}

func FuzzResolveIsSafe(f *testing.F) {
	for _, s := range []string{"/a", "javascript:x", "//x", "#a", "a?b#c", "%00", "https://x y", "/old", "mailto:",
		"..//..//x:y"} {
		f.Add(s)
	}
	tables := []From{table(Clean).From("guides/start", "guides/start"), table(Relative).From("guides/start", "index")}
	f.Fuzz(func(t *testing.T, ref string) {
		for _, from := range tables {
			got := from.Resolve(ref)
			if scheme, ok := schemeOf(got.Href); ok && scheme != "http" && scheme != "https" && scheme != "mailto" {
				t.Fatalf("%q gives %q", ref, got.Href)
			}
			if strings.ContainsAny(got.Href, "\"<>\\ \r\n\t\x00") || strings.HasPrefix(got.Href, "//") {
				t.Fatalf("%q gives %q", ref, got.Href)
			}
		}
	})
}

// With a wildcard in the host of a destination, anyone who writes a link could choose the target host.
func TestWildcardInTheHostNeverMatches(t *testing.T) {
	for _, dest := range []string{"https://example.com*", "https://:slug.example.com/x", "https://example.com:slug*",
		"https://*/x"} {
		r := NewRedirects([]site.Redirect{{Source: "/x/:slug*", Destination: dest},
			{Source: "/y/*", Destination: dest}})
		for _, p := range []string{"/x/.evil.com", "/y/@evil.com"} {
			if to, _, ok := r.Match(p); ok {
				t.Errorf("%s by %s leads to %s", p, dest, to)
			}
		}
	}
	r := NewRedirects([]site.Redirect{{Source: "/x/*", Destination: "https://example.com:8443/a/*"}})
	if to, _, ok := r.Match("/x/b"); !ok || to != "https://example.com:8443/a/b" {
		t.Errorf("a plain host with a port: %q %v", to, ok)
	}
}

func TestFolderLinkResolvesToItsFirstPage(t *testing.T) {
	s := &site.Site{}
	group := &site.Node{Kind: site.KindGroup}
	for _, p := range []string{"b/two", "b/one", "b/deep/x", "c/b", "c/README", "d/gone"} {
		if p != "d/gone" {
			s.Pages = append(s.Pages, &site.Page{Path: p})
		}
		group.Children = append(group.Children, &site.Node{Kind: site.KindPage, Page: p})
	}
	s.Pages = append(s.Pages, &site.Page{Path: "e/unlisted"})
	s.Nav = []*site.Node{group}
	table := New(s, Relative, "", "b/two")
	from := table.From("b/one", "b/one")
	for ref, want := range map[string]Target{
		"/b":            {Kind: ToPage, Href: "../b.html", Page: "b/two"},
		"../b/deep/#y":  {Kind: ToPage, Href: "deep.html#y", Page: "b/deep/x", Anchor: "y"},
		"/c/":           {Kind: ToPage, Href: "../c.html", Page: "c/README"},
		"/d":            {Kind: Broken, Href: "../d.html"},
		"/e":            {Kind: Broken, Href: "../e.html"},
		"/b/deep/other": {Kind: Broken, Href: "deep/other.html"},
	} {
		if got := from.Resolve(ref); got != want {
			t.Errorf("%s: %+v, want %+v", ref, got, want)
		}
	}
	if got, want := fmt.Sprint(table.Folders()), "[{/b /b/two"; !strings.HasPrefix(got, want) ||
		len(table.Folders()) != 3 {
		t.Errorf("folders %s", got)
	}
}

func TestFolderKeepsItsOwnPageOrRedirect(t *testing.T) {
	s := &site.Site{Redirects: []site.Redirect{{Source: "/c", Destination: "/b"}}}
	for _, p := range []string{"a/index", "a/x", "b", "b/x", "c/x"} {
		s.Pages = append(s.Pages, &site.Page{Path: p})
		s.Nav = append(s.Nav, &site.Node{Kind: site.KindPage, Page: p})
	}
	if got := New(s, Clean, "", "b").Folders(); len(got) != 0 {
		t.Errorf("folders %v", got)
	}
}

// If a site is located below a path, its clean links contain that path exactly once. Redirects are matched relative to
// that path, so their destinations do not include it.
func TestLinksBelowAPathIncludeIt(t *testing.T) {
	s := &site.Site{Pages: []*site.Page{{Path: "guides/start"}, {Path: "index"}}, Assets: []site.Asset{{Path: "img/a.png"}}}
	tab := New(s, Clean, "https://example.com/docs", "index").Below("/docs")
	from := tab.From("index", "index")
	for ref, want := range map[string]string{"/": "/docs/", "/guides/start#a": "/docs/guides/start#a", "img/a.png": "/docs/img/a.png",
		"/nope": "/docs/nope", "https://example.com/x": "https://example.com/x", "#a": "#a"} {
		if got := from.Resolve(ref).Href; got != want {
			t.Errorf("%q = %q, want %q", ref, got, want)
		}
	}
	if got := from.Markdown(from.Resolve("/guides/start")); got != "https://example.com/docs/guides/start.md" {
		t.Errorf("the Markdown form links to %s", got)
	}
	if got := tab.Canonical("guides/start"); got != "https://example.com/docs/guides/start" {
		t.Errorf("the canonical address is %s", got)
	}
	if got := tab.Path("guides/start"); got != "/guides/start" {
		t.Errorf("the page's path on the site is %s", got)
	}
	// a preview uses the canonical URLs of the site, but is served at the root of a host
	preview := New(s, Clean, "https://example.com/docs", "index").From("index", "index")
	if got := preview.Resolve("/guides/start").Href; got != "/guides/start" {
		t.Errorf("a preview links to %s", got)
	}
}
