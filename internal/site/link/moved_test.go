package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

// format writes a parsed redirect on one line.
func format(m Moved) string {
	var b strings.Builder
	for _, p := range m.Pieces {
		b.WriteString("/" + p.Literal)
		if p.Name != "" {
			fmt.Fprintf(&b, "<%s%s%s>", p.Name, map[bool]string{true: "…"}[p.Many], strings.TrimSuffix(" "+p.Expr, " "))
		}
	}
	b.WriteString(" → ")
	for _, part := range m.To {
		if b.WriteString(part.Literal); part.Name != "" {
			b.WriteString("<" + part.Name + ">")
		}
	}
	if m.File != "" {
		b.WriteString(" (" + m.File + ")")
	}
	if m.Covers {
		b.WriteString(" covers")
	}
	return b.String()
}

func TestMovedExpandsRedirectRules(t *testing.T) {
	for rule, want := range map[string]string{
		"/old /guides/start":        "/old → /guides/start (guides/start.html)",
		"/old/ /guides/start#a b":   "/old → /guides/start#a%20b (guides/start.html)",
		"/o%20ld /guides/start?x=1": "/o ld → /guides/start?x=1 (guides/start.html)",
		"/old /api":                 "/old → /api/ (api/index.html)",
		"/old /api#x":               "/old → /api/#x (api/index.html)",
		"/old /img/a.png":           "/old → /img/a.png (img/a.png)",
		"/old https://example.com":  "/old → https://example.com",
		"/old //example.com/x":      "/old → https://example.com/x",
		"/old /left/out":            "/old → https://docs.example.com/left/out",
		"/old /nowhere":             "",
		"/old javascript:x":         "",
		"/old mailto:a@example.com": "",
		"/guides/start /api":        "",
		"/api /guides/start":        "",
		"/ /guides/start":           "",
		"/robots.txt /guides/start": "",
		"/_lectern/x /guides/start": "",
		"/_lectern/* /guides/start": "",
		"/img/a.png /guides/start":  "",
		"/d/:s* /:s*":               "/d → / (index.html); /d/<s…> → /<s>",
		// a folder
		"/d/:s* /guides/:s*":                "/d → /guides/start (guides/start.html); /d/<s…> → /guides/<s>",
		"/d/:s*/e /x/:s*/y":                 "/d/<s…>/e → /x/<s>/y",
		"/d-* /guides/start":                "/d- → /guides/start (guides/start.html); /d-<*…> → /guides/start (guides/start.html)",
		"/u/:id/e /p/:id?x=:id":             "/u/<id>/e → /p/<id>?x=:id",
		"/u/:id/e /p/:id#x":                 "/u/<id>/e → /p/<id>#x",
		"/u/:id(\\d+) /p/:id":               "/u/<id \\d+> → /p/<id>",
		"/d/:s* https://e.example:81/:s*":   "/d → https://e.example:81; /d/<s…> → https://e.example:81/<s>",
		"/d/:s* https://:s*":                "",
		"/d/:s* x/:s*":                      "/d/<s…> → /x/<s>",
		"/d/:s* /d/more/:s*":                "", // a redirect loop
		"/guides/:s* https://e.example/:s*": "/guides → https://e.example; /guides/<s…> → https://e.example/<s> covers",
		"/:s* https://e.example/:s*":        "/<s…> → https://e.example/<s> covers",
		"/:a/start https://e.example/:a":    "/<a>/start → https://e.example/<a> covers",
		"/d/:s* /:t*":                       "", // t is not defined in the source
	} {
		source, dest, _ := strings.Cut(rule, " ")
		s := &site.Site{
			Pages:     []*site.Page{{Path: "api/index"}, {Path: "guides/start"}, {Path: "index"}},
			Assets:    []site.Asset{{Path: "img/a.png"}},
			Left:      []string{"left/out"},
			Nav:       []*site.Node{{Kind: site.KindPage, Page: "guides/start"}},
			Redirects: []site.Redirect{{Source: source, Destination: dest}},
		}
		var got []string
		for _, m := range New(s, Relative, "https://docs.example.com", "index").Moved(s.Redirects) {
			if m.Source != "/guides" { // this rule is for a folder
				got = append(got, format(m))
			}
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s:\n got %s\nwant %s", rule, text, want)
		}
	}
}

// Templates must agree with Match: templates are written for other servers, and our own server uses Match.
func TestTemplatesUseEveryWildcardOnce(t *testing.T) {
	for dest, want := range map[string]string{
		"/x/:a":           "[{/x/ } { a}]",
		"/x/:ab/:a":       "[{/x/:ab/ } { a}]",
		"/x/:a*y":         "[{/x/ } { a} {y }]",
		"/:a?q=:a#:a":     "[{/ } { a} {?q=:a#:a }]",
		"https://h:8443/": "[{https://h:8443/ }]",
		"/*/*":            "[{/ } { *} {/* }]",
		":a":              "[{ a}]",
		"":                "[]",
	} {
		if got := fmt.Sprint(template(dest, map[string]bool{"a": true, "*": true})); got != want {
			t.Errorf("%q: %s, want %s", dest, got, want)
		}
	}
}

func TestRedirectSourcesMayBePercentEncoded(t *testing.T) {
	r := NewRedirects([]site.Redirect{{Source: "/a%20b/%C3%BC", Destination: "/x"}, {Source: "/c%2Fd",
		Destination: "/x"}, {Source: "/e%3A", Destination: "/x"}, {Source: "/100%", Destination: "/x"}})
	for p, want := range map[string]bool{"/a b/ü": true, "/c/d": false, "/c%2Fd": true, "/e:": false, "/e%3A": true,
		"/100%": true} {
		if _, _, ok := r.Match(p); ok != want {
			t.Errorf("%s: %v", p, ok)
		}
	}
}

func TestLinksToOmittedPagesUsePublishedSite(t *testing.T) {
	s := &site.Site{Pages: []*site.Page{{Path: "a/one"}}, Left: []string{"a/two", "b/c/three", "index"},
		Redirects: []site.Redirect{{Source: "/old/:x*", Destination: "/b/:x*"}}}
	s.Nav = []*site.Node{{Kind: site.KindPage, Page: "a/one"}}
	for _, c := range []struct{ ref, known, unknown string }{
		{"/a/two#x", "https://d.example/base/a/two#x", ""},
		{"two?q=1", "https://d.example/base/a/two?q=1", ""},
		{"/b", "https://d.example/base/b", ""}, // a folder of the published site
		{"/b/c/#y", "https://d.example/base/b/c#y", ""},
		{"/old/c/three", "https://d.example/base/b/c/three", ""},
		{"/index", "https://d.example/base/", ""},
		{"/", "https://d.example/base/", "../index.html"}, // the bundle's own first page if the site's URL is unknown
		{"/a", "../a.html", "../a.html"},                  // a folder with a page in the tree
	} {
		if got := New(s, Relative, "https://d.example/base", "a/one").From("a/one", "a/one").Resolve(c.ref).
			Href; got != c.known {
			t.Errorf("%s: %q, want %q", c.ref, got, c.known)
		}
		if got := New(s, Relative, "", "a/one").From("a/one", "a/one").Resolve(c.ref); got.Href != c.unknown ||
			got.Kind == Broken {
			t.Errorf("%s without an origin: %+v, want %q", c.ref, got, c.unknown)
		}
	}
}
