package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

func TestCheckRedirectsReportsBadRules(t *testing.T) {
	for name, c := range map[string]struct {
		rules []string // source destination
		want  string   // index and finding code of each reported rule
	}{
		"fine": {[]string{"/old /guides/start", "/older /old", "/web https://example.com",
			"/w/:slug* /guides/:slug*", "/v/* https://x.example:8443/*", "/t /guides/start#a"}, ""},
		"to an asset":           {[]string{"/pic /img/a.png"}, ""},
		"to nowhere":            {[]string{"/old /gone"}, "0 broken-redirect"},
		"to nowhere by another": {[]string{"/old /mid", "/mid /gone"}, "0 broken-redirect; 1 broken-redirect"},
		"wildcard to nowhere":   {[]string{"/old/* /gone"}, "0 broken-redirect"},
		"wildcard to one page":  {[]string{"/old/* /guides/start"}, ""},
		"from a page": {[]string{"/guides/start /index", "/api /guides/start"},
			"0 redirect-over-page; 1 redirect-over-page"},
		"circle": {[]string{"/a /b", "/b /c", "/c /a", "/d /a"},
			"0 redirect-loop; 1 redirect-loop; 2 redirect-loop; 3 redirect-loop"},
		"wildcard circle":              {[]string{"/a/* /b/*", "/b/* /a/*"}, "0 redirect-loop; 1 redirect-loop"},
		"endless":                      {[]string{"/a/:x* /a/more/:x*"}, "0 redirect-loop"},
		"through a page is not a loop": {[]string{"/a/:x* /guides/start", "/guides/:y* /a/:y*"}, ""},
		"duplicate": {[]string{"/a /guides/start", "/a/ /gone", "/p/:x /guides/start",
			"/p/:y /index", "/q/:x* /", "/q/* /"}, "1 duplicate-redirect; 3 duplicate-redirect; 5 duplicate-redirect"},
		"unknown wildcard": {[]string{"/a/:x /guides/:y", "/b /guides/*", "/c/:x* /:x*/:z*",
			"/d/* /guides/:slug*", "/e-:x /v2-*", "/f/:x /v2-*"},
			"0 redirect-wildcard; 1 redirect-wildcard; 2 redirect-wildcard; 3 redirect-wildcard; 4 redirect-wildcard; 5 redirect-wildcard"},
		"part of a piece":      {[]string{"/v1-* /guides/*", "/v2-* /guides-*"}, ""},
		"wildcard in the host": {[]string{"/a/:x https://:x.example.com/"}, "0 redirect-host"},
		"expressions": {[]string{"/:a(x|y)/b /guides/start", "/:a(z)/b /guides/:a",
			"/k-:r(.*) /guides/:r", "/:a([ /index", "/plain(x) /index"}, "3 bad-redirect"},
		"two names for one destination": {[]string{"/a/:x/b/:y /guides/:y/:x"}, ""},
	} {
		var rules []site.Redirect
		for i, text := range c.rules {
			source, dest, _ := strings.Cut(text, " ")
			rules = append(rules, site.Redirect{Source: source, Destination: dest,
				Pos: diag.Pos{File: "docs.json", Line: i}})
		}
		s := &site.Site{Pages: []*site.Page{{Path: "api/index"}, {Path: "guides/start"}, {Path: "index"}},
			Assets: []site.Asset{{Path: "img/a.png"}}, Redirects: rules}
		var got []string
		for _, d := range New(s, Clean, "", "index").CheckRedirects(rules) {
			got = append(got, fmt.Sprintf("%d %s", d.Line, d.Code))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func FuzzCheckRedirectsEnds(f *testing.F) {
	for _, s := range []string{"/a /b", "/a/* /b/*", "/:x* /:x*/y", "* *", "/ /", ": :", "/a/:x*/b/:y* /c",
		"/p:x(a|b)/:y(.*) /:x/:y", "/:x( /y"} {
		source, dest, _ := strings.Cut(s, " ")
		f.Add(source, dest)
	}
	f.Fuzz(func(t *testing.T, source, dest string) {
		rules := []site.Redirect{{Source: source, Destination: dest}, {Source: dest, Destination: source},
			{Source: "/x/*", Destination: dest}}
		s := &site.Site{Pages: []*site.Page{{Path: "index"}}, Redirects: rules}
		New(s, Clean, "", "index").CheckRedirects(rules)
	})
}

func TestAuthorStyleSheetsAndScriptsResolveToFiles(t *testing.T) {
	from := New(&site.Site{Pages: []*site.Page{{Path: "index"}}, Styles: []string{"a.css"},
		Scripts: []string{"js/b.js"}}, Relative, "", "index").From("index", "index")
	for _, to := range []string{"/a.css", "./js/b.js"} {
		if got := from.Resolve(to); got.Kind != ToFile {
			t.Errorf("%s is %+v", to, got)
		}
	}
	if got := from.Resolve("/c.css"); got.Kind != Broken {
		t.Errorf("%+v", got)
	}
}
