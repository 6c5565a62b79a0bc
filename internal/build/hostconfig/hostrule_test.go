package hostconfig

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

var update = flag.Bool("update", false, "write the golden files anew")

// rules are pairs of source and destination: ordinary ones, and hostile ones that try to redirect readers to another
// host.
var rules = [][2]string{
	{"/old/path", "/guides/next"},
	{"/old/place", "/guides/next#a b"},
	{"/old/query", "/guides/next?x=1"},
	{"/to-folder", "/guides"},
	{"/to-index", "/api"},
	{"/to-file", "/img/a b.png"},
	{"/away", "https://example.com/x?y=1#z"},
	{"/port", "https://example.com:8443/x"},
	{"/sp ace/ü", "/guides/next"},
	{"/dollar$1", "/guides/next?a=$1&b=${HOME}"},
	{"/quote\"'`", "/guides/next#\"'`"},
	{"/brace{$HOME}", "/guides/next"},
	{"/plus+(paren)[x]^|.html", "/guides/next"},
	{"/percent%41", "/guides/next"},
	{"/hash#x", "/guides/next"},
	{"/line\nGET /x", "/guides/next"},
	{"/cr", "/guides/next#x\r\nSet-Cookie: a=b"},
	{"/tab\tbed /evil 301", "/guides/next"},
	{"/; return 200 x; location /y {", "/guides/next"},
	{"/script", "javascript:alert(1)"},
	{"/mail", "mailto:a@example.com"},
	{"/gone", "/no-such-page"},
	{"/guides/start", "/guides/next"}, // a page
	{"/robots.txt", "/guides/next"},
	{"/circle", "/circle2"}, {"/circle2", "/circle"},
	{"/docs/:slug*", "/:slug*"},
	{"/v1/:slug*", "/guides/:slug*"},
	{"/v2-*", "/guides/*"},
	{"/user/:id/edit", "/guides/:id"},
	{"/two/:a/:b", "/guides/:b/:a#x"},
	{"/deep/:rest*/end", "/guides/:rest*"},
	{"/files/*", "https://files.example.com/f/*"},
	{"/ported/*", "https://files.example.com:8443/*"},
	{"/all/*", "/guides/start"},
	{"/:os(linux|mac)/x", "/guides/:os"},
	{"/n/:n(\\d+)", "/guides/:n"},
	{"/slow/:n((a+)+)", "/guides/:n"},
	{"/odd$:/:x*", "/guides/$0:%:x*"},
	{"/brace{/:x*", "/guides/{x}/:x*"},
	{"/guides/:any*", "/api/:any*"}, // these pages exist
	{"/steer/:x*", "https://:x*"},
	{"/steer2/*", "https://example.com*"},
	{"/steer3/*", "//*"},
	{"/_lectern/*", "https://evil.example/*"},
	{"/loop/:x*", "/loop/more/:x*"},
	{"/v3-*", "/*"},
}

// hostile returns a small site with these rules.
func hostile(base string) Site {
	s := &site.Site{Assets: []site.Asset{{Path: "img/a b.png"}}}
	for _, p := range []string{"api/index", "guides/next", "guides/start", "guides/deep/page", "index", "top"} {
		s.Pages = append(s.Pages, &site.Page{Path: p})
		s.Nav = append(s.Nav, &site.Node{Kind: site.KindPage, Page: p})
	}
	for i, r := range rules {
		s.Redirects = append(s.Redirects, site.Redirect{Source: r[0], Destination: r[1], Permanent: i%2 == 0})
	}
	table := link.New(s, link.Relative, "https://docs.example.com"+base, "index")
	return Site{Moved: table.Moved(s.Redirects), Indexes: []string{"api"}, Base: base,
		Lasting: []string{"_lectern/fonts"}, Script: "sha256-abc"}
}

func TestRulesMatchGoldenFiles(t *testing.T) {
	for name, s := range map[string]Site{"root": hostile(""), "below": hostile("/docs/v1")} {
		for _, f := range Files(s) {
			file := filepath.Join("testdata", name, filepath.FromSlash(strings.TrimPrefix(f.Path, Folder+"/")))
			if *update {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != string(f.Data) {
				t.Errorf("%s differs; got\n%s", file, f.Data)
			}
			if strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
				t.Errorf("%s is not valid JSON", f.Path)
			}
		}
	}
}
