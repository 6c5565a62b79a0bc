package docsjson

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

func load(files map[string]string) (*Config, diag.List) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Load(fsys)
}

// outline writes a navigation tree, one node per line.
func outline(nodes []*site.Node, depth int) string {
	var b strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth), n.Kind)
		for _, s := range []string{n.Title, n.Page, n.Href, n.Details().Operation} {
			if s != "" {
				b.WriteString(" " + s)
			}
		}
		b.WriteString("\n" + outline(n.Children, depth+1))
	}
	return b.String()
}

func TestGroupMayHaveABlankName(t *testing.T) {
	_, list := load(map[string]string{
		"docs.json": `{"name": "N", "navigation": {"groups": [{"group": " ", "pages": ["a"]}, {"group": "", "pages": ["b"]}]}}`})
	for _, d := range list {
		if d.Code == "missing-key" {
			t.Error(d)
		}
	}
}

func TestEveryNavigationShapeBecomesOneTree(t *testing.T) {
	cfg, list := load(map[string]string{
		"docs.json": `{"$schema": "x", "name": "N", "colors": {"primary": "#0AF"}, "theme": "mint",
 "navigation": {"languages": [{"language": "en", "versions": [{"version": "v2", "default": true, "tabs": [
   {"tab": "Guides", "groups": [{"group": "Start", "root": "start/index", "expanded": true, "pages": ["/a.mdx", {"group": "Deep", "pages": ["b"]}, "GET /users"]}, {"pages": ["bare"]}]},
   {"tab": "API", "menu": [{"item": "REST", "pages": ["rest"]}]},
   {"tab": "Out", "href": "https://example.com"}]}]},
   {"language": "fr", "dropdowns": [{"dropdown": "D", "anchors": [{"anchor": "A", "pages": ["fr/a"]}]}]}],
  "global": {"anchors": [{"anchor": "Blog", "href": "https://blog.example.com"}]}}}`,
	})
	want := `language en
  version v2
    tab Guides
      group Start start/index
        page a
        group Deep
          page b
        page GET /users
      page bare
    tab API
      menu REST
        page rest
    tab Out https://example.com
language fr
  dropdown D
    anchor A
      page fr/a
anchor Blog https://blog.example.com
`
	if got := outline(cfg.Nav, 0); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	var operations []string
	site.Walk(cfg.Nav, func(n *site.Node) bool {
		if n.Details().Operation != "" {
			operations = append(operations, n.Details().Operation)
		}
		return true
	})
	if len(operations) != 1 || cfg.Colors.Primary != "#0af" || len(list) != 1 || list[0].Code != "missing-key" {
		t.Errorf("operations %q, colors %+v, list %v", operations, cfg.Colors, list)
	}
}

// The entries of a list are decoded into the same variables, one after the other.
func TestEntryInheritsNothingFromTheEntryBefore(t *testing.T) {
	cfg, list := load(map[string]string{"docs.json": `{"name": "x",
 "navbar": {"links": [{"type": "github", "href": "/a", "icon": {"name": "star", "style": "thin", "library": "lucide"}}, {"href": "/b", "icon": "bell"}, {"href": "/c"}]},
 "footer": {"links": [{"header": "H", "items": [{"href": "/a"}]}, {"items": []}]},
 "redirects": [{"source": "/a", "destination": "/b", "permanent": false}, {"source": "/c", "destination": "/d"}],
 "contextual": {"options": [{"title": "T", "href": {"base": "/t", "query": {"a": "b"}}}, "copy"]},
 "api": {"openapi": {"source": "a.yaml", "directory": "d"}},
 "navigation": {"languages": [{"language": "en", "footer": {"socials": {"x": "/x"}}, "openapi": {"source": "a.yaml", "directory": "d"}, "hidden": true, "boost": 2},
  {"language": "fr", "openapi": "b.yaml"}]}}`})
	if len(list) > 0 {
		t.Fatal(list)
	}
	unplace(reflect.ValueOf(cfg))
	en, fr := cfg.Nav[0].Details(), cfg.Nav[1].Details()
	for _, c := range []struct{ got, want any }{
		{cfg.Navbar.Links, []site.Link{{Label: "GitHub", Href: "/a", Icon: "lucide:star", IconType: "thin"},
			{Label: "/b", Href: "/b", Icon: "bell"}, {Label: "/c", Href: "/c"}}},
		{cfg.Footer.Columns, []site.Column{{Header: "H", Items: []site.Link{{Label: "/a", Href: "/a"}}}, {}}},
		{cfg.Redirects, []site.Redirect{{Source: "/a", Destination: "/b"},
			{Source: "/c", Destination: "/d", Permanent: true}}},
		{cfg.Menu.Options, []site.MenuOption{{Title: "T", Href: "/t", Query: []site.Meta{{Name: "a", Content: "b"}}},
			{Name: "copy"}}},
		{en.Chrome.Footer, site.Footer{Socials: []site.Link{{Label: "X", Href: "/x", Icon: "x"}}}},
		{cfg.Nav[1].Hidden, false},
		{fr, site.NodeDetails{Sources: []site.Source{{Files: []string{"b.yaml"}}}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got %+v, want %+v", c.got, c.want)
		}
	}
}

func TestFontsOfPartsReplaceTheCommonOne(t *testing.T) {
	for doc, want := range map[string]site.Fonts{
		`"family": "A", "weight": 400`: {Heading: site.Font{Family: "A", Weight: 400},
			Body: site.Font{Family: "A", Weight: 400}},
		`"heading": {"family": "B"}, "family": "A", "weight": 400`: {Heading: site.Font{Family: "B"},
			Body: site.Font{Family: "A", Weight: 400}},
		`"source": "a.woff", "body": {"weight": 700}, "heading": {}`: {Body: site.Font{Weight: 700}},
	} {
		cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"], "fonts": {` + doc + `}}`})
		if len(list) > 0 || cfg.Fonts != want {
			t.Errorf("%s: %+v %v", doc, cfg.Fonts, list)
		}
	}
}

func TestMintJSONIsRead(t *testing.T) {
	cfg,
		list := load(map[string]string{
		"mint.json": `{"name": "Old", "navigation": [{"group": "G", "pages": ["a"]}], "topbarLinks": [{"name": "Help", "url": "/help"}],
 "topbarCtaButton": {"name": "Go", "url": "https://x.example"}, "footerSocials": {"github": "https://g.example"}, "anchors": [{"name": "Site", "url": "https://y.example"}, {"name": "API", "url": "api"}], "modeToggle": {}}`})
	if len(list) > 0 || cfg.Navbar.Links[0].Label != "Help" || cfg.Navbar.Primary.Href != "https://x.example" ||
		cfg.Footer.Socials[0].Label != "GitHub" {
		t.Errorf("%+v %v", cfg, list)
	}
	if got := outline(cfg.Nav, 0); got != "group G\n  page a\nanchor Site https://y.example\nanchor API /api\n" {
		t.Errorf("got %s", got)
	}
}

func TestErrorsHaveAPosition(t *testing.T) {
	for name, c := range map[string]struct {
		text, code   string
		line, column int
		severity     diag.Severity
	}{
		"unknown key": {"{\"name\": \"x\", \"navigation\": [],\n  \"nmae\": 1}", "unknown-key", 2, 3, diag.Warning},
		"wrong type":  {"{\"navigation\": [],\n\"name\": 7}", "wrong-type", 2, 9, diag.Warning},
		"bad color": {"{\"name\": \"x\", \"navigation\": [], \"colors\": {\"primary\": \"red;} x{\"}}",
			"bad-color", 1, 55, diag.Warning},
		"no colon":      {"{\"name\" \"x\"}", "json-syntax", 1, 9, diag.Error},
		"no end":        {"{\"name\": \"x\"", "json-syntax", 1, 13, diag.Error},
		"open text":     {"{\"name\": \"x\n\"}", "json-syntax", 1, 12, diag.Error},
		"not an object": {"[1]", "site-file-shape", 1, 1, diag.Error},
		"twice": {"{\"name\": \"x\", \"navigation\": [],\n\"name\": \"y\"}", "json-duplicate", 2, 1,
			diag.Warning},
		"loose": {"{\"name\": \"x\", \"navigation\": [], // c\n}", "json-loose", 1, 1, diag.Warning},
		"outside": {"{\"name\": \"x\", \"navigation\": {\"$ref\": \"../x.json\"}}", "ref-outside", 1, 38,
			diag.Error},
		"bad page": {"{\"name\": \"x\", \"navigation\": [\"../x\"]}", "bad-page", 1, 30, diag.Warning},
		"half redirect": {"{\"name\": \"x\", \"navigation\": [], \"redirects\": [{\"source\": \"/a\"}]}",
			"bad-redirect", 1, 47, diag.Warning},
		"non-ASCII text": {"{\"name\": \"é\", \"navigation\": [], \"é\": 1}", "unknown-key", 1, 33, diag.Warning},
	} {
		t.Run(name, func(t *testing.T) {
			_, list := load(map[string]string{"docs.json": c.text})
			for _, d := range list {
				if d.Code == c.code {
					if d.Line != c.line || d.Column != c.column || d.Severity != c.severity || d.File != "docs.json" {
						t.Errorf("got %v", d)
					}
					return
				}
			}
			t.Errorf("no %s in %v", c.code, list)
		})
	}
}

func TestUnknownKeyIsReportedWithTheNearestKey(t *testing.T) {
	for _, c := range []struct{ file, key, hint string }{
		{"docs.json", "navgation", `Did you mean "navigation"?`}, {"docs.json", "colour", `Did you mean "colors"?`},
		{"docs.json", "integration", `Did you mean "integrations"?`},
		{"docs.json", "whatever else", ""}, {"docs.json", "topbarLink", ""},
		{"mint.json", "topbarLink", `Did you mean "topbarLinks"?`},
	} {
		_, list := load(map[string]string{c.file: `{"name": "x", "navigation": [], "` + c.key + `": 1}`})
		if len(list) != 1 || list[0].Code != "unknown-key" || list[0].Hint != c.hint {
			t.Errorf("%s: %+v", c.key, list)
		}
	}
}

func TestTotalSizeOfReferencedFilesIsBounded(t *testing.T) {
	refs := strings.TrimSuffix(strings.Repeat(`{"$ref": "big.json"},`, 10), ",")
	_, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": [` + refs + `]}`,
		"big.json": `["a"` + strings.Repeat(" ", 7<<20) + `]`})
	if !strings.Contains(fmt.Sprint(list), "larger than 24 MB in total") {
		t.Errorf("%.300v", list)
	}
}

func TestMissingFileGivesDefaultsAndAnError(t *testing.T) {
	cfg, list := load(nil)
	if list.HasErrors() || list[0].Code != "site-file-missing" || cfg.File != "" || cfg.Name == "" {
		t.Errorf("%+v %v", cfg, list)
	}
}

func TestRefsAreSplicedAndSiblingsOverride(t *testing.T) {
	cfg, list := load(map[string]string{
		"docs.json":     `{"name": "x", "navigation": {"$ref": "./nav/main.json"}, "footer": {"$ref": "/nav/f.json", "socials": {"x": "https://b.example"}}}`,
		"nav/main.json": `{"tabs": [{"tab": "T", "pages": ["a", {"$ref": "more.json"}]}]}`,
		"nav/more.json": `["b", "c"]`,
		"nav/f.json":    `{"socials": {"x": "https://a.example"}, "links": []}`,
	})
	if got := outline(cfg.Nav, 0); got != "tab T\n  page a\n  page b\n  page c\n" || len(list) > 0 {
		t.Errorf("got %s %v", got, list)
	}
	if cfg.Footer.Socials[0].Href != "https://b.example" ||
		strings.Join(cfg.Parts, " ") != "nav/f.json nav/main.json nav/more.json" {
		t.Errorf("%+v", cfg)
	}
}

func TestRefCyclesEnd(t *testing.T) {
	for _, files := range []map[string]string{
		{"docs.json": `{"navigation": {"$ref": "docs.json"}}`},
		{"docs.json": `{"navigation": {"$ref": "a.json"}}`, "a.json": `{"pages": [{"$ref": "b.json"}]}`,
			"b.json": `{"$ref": "a.json"}`},
	} {
		if _, list := load(files); !list.HasErrors() || !strings.Contains(fmt.Sprint(list), "ref-cycle") {
			t.Errorf("list %v", list)
		}
	}
	// each file includes the next one ten times
	bomb := map[string]string{"docs.json": `{"navigation": {"$ref": "a0.json"}}`}
	for i := range 20 {
		ref := fmt.Sprintf(`{"$ref": "a%d.json"}`, i+1)
		bomb[fmt.Sprintf("a%d.json", i)] = "[" + strings.Repeat(ref+",", 9) + ref + "]"
	}
	bomb["a20.json"] = `["x"]`
	if _, list := load(bomb); !strings.Contains(fmt.Sprint(list), "ref-count") {
		t.Error("a bomb of references was expanded")
	}
}

func TestLinkedSiteFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real"), []byte(`{"name": "secret"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "docs.json")); err != nil {
		t.Fatal(err)
	}
	cfg, list := Load(os.DirFS(dir))
	if cfg.Name == "secret" || !list.HasErrors() || list[0].Code != "site-file-unreadable" {
		t.Errorf("%+v %v", cfg, list)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		`{"name":"a","navigation":{"tabs":[{"tab":"x","pages":["a",{"group":"g","pages":[]}]}]}}`, `[`,
		`{"a":{"$ref":"p.json"}}`, `{"navigation":{"$ref":"docs.json"}}`, "{//x\n}", `{"colors":{"primary":"#fff"}}`,
		`{"x":"\ud800"}`} {
		f.Add([]byte(s), []byte(`{"pages":["a"]}`))
	}
	f.Fuzz(func(t *testing.T, main, part []byte) {
		cfg, list := Load(fstest.MapFS{"docs.json": {Data: main}, "p.json": {Data: part}})
		if cfg.Colors.Primary != "" && !hexColor.MatchString(cfg.Colors.Primary) {
			t.Fatalf("colour %q", cfg.Colors.Primary)
		}
		for _, d := range list {
			if d.Line < 1 || d.Column < 1 {
				t.Fatalf("no position: %v", d)
			}
		}
	})
}
