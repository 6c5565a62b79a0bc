package docsjson

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

// Every finding contains the full path and position of the key, and suggests what was probably meant.
func TestErrorsAreFoundAtEveryLevel(t *testing.T) {
	for name, c := range map[string]struct{ part, want string }{
		"deep navigation key": {`"navigation": {"tabs": [{"tab": "a"}, {"tab": "b"}, {"tab": "c", "gruops": []}]}`,
			`Unknown key "navigation.tabs[2].gruops". [unknown-key] Did you mean "groups"?`},
		"key of a nested group": {
			`"navigation": {"groups": [{"group": "g", "pages": ["a", {"group": "h", "expandd": true}]}]}`,
			`Unknown key "navigation.groups[0].pages[1].expandd". [unknown-key] Did you mean "expanded"?`},
		"key of a bare list": {`"navigation": [{"group": "g", "icn": "x"}]`,
			`Unknown key "navigation[0].icn". [unknown-key] Did you mean "icon"?`},
		"key of a language": {`"navigation": {"languages": [{"language": "en", "footer": {"social": {}}}]}`,
			`Unknown key "navigation.languages[0].footer.social". [unknown-key] Did you mean "socials"?`},
		"network": {`"footer": {"socials": {"gihtub": "https://x.example"}}`,
			`Unknown key "footer.socials.gihtub". [unknown-key] Did you mean "github"?`},
		"font key": {`"fonts": {"heading": {"wight": 1}}`,
			`Unknown key "fonts.heading.wight". [unknown-key] Did you mean "weight"?`},
		"key of another object": {`"measurementId": "G-1"`,
			`Unknown key "measurementId". [unknown-key] The key belongs elsewhere: integrations.ga4.measurementId.`},
		"key of several objects": {`"logo": {"socials": {}}`,
			`Unknown key "logo.socials". [unknown-key] The key belongs elsewhere: footer.socials.`},
		"pattern of versions": {`"gitVersions": {"tags": ["v*", "("]}`,
			`"(" in "gitVersions.tags" is not a valid name pattern. [bad-value] Write "v*", or "release/(*)" to use a part of the name as the version's name.`},
		"versions without refs": {`"gitVersions": {"default": "v1"}`,
			`"gitVersions" needs "tags" or "branches", patterns of names such as "v*". [bad-value] `},
		"limit of versions": {`"gitVersions": {"tags": "v*", "limit": 0}`,
			`"gitVersions.limit" must be a whole number from 1 to 500. [bad-value] `},
		"synonyms without a list": {`"search": {"synonyms": ["seat"]}`,
			`"search.synonyms[0]" must be a list, not text. [wrong-type] `},
		"one synonym": {`"search": {"synonyms": [["seat", "Seat"]]}`,
			`A list in "search.synonyms" must have at least two different words or phrases. [bad-value] `},
		"synonym without a word": {`"search": {"synonyms": [["seat", "licence", "?!"]]}`,
			`"?!" in "search.synonyms" has no letter or digit to search for. [bad-value] `},
		"empty synonym": {`"search": {"synonyms": [["seat", "licence", ""]]}`,
			`"search.synonyms[0][2]" must be a word or phrase of 1 to 80 characters, not "". [bad-value] `},
		"key without a likeness": {`"logo": {"background-image": "x"}`,
			`Unknown key "logo.background-image". [unknown-key] Known keys here: light, dark, href.`},
		"theme": {`"theme": "mnt"`,
			`"theme" must be one of mint, maple, palm, willow, linden, almond, aspen, sequoia, luma, not "mnt". [bad-value] Did you mean "mint"?`},
		"enumeration in a list": {`"contextual": {"options": ["copy", "chatgtp"]}`,
			`"contextual.options[1]" must be one of ` + strings.Join(options(), ", ") +
				`, not "chatgtp". [bad-value] Did you mean "chatgpt"?`},
		"option of others": {`"contextual": {"options": ["copy", "devin-mcp", "devin-mcp"]}`,
			`The value "devin-mcp" of "contextual.options[1]" has no effect: there is no known way to open it. [inapplicable-key] `},
		"own option": {`"contextual": {"options": [{"title": "x"}]}`,
			`"contextual.options[0]" has no "href". [missing-key] `},
		"colour in a pair": {`"background": {"color": {"dark": "black"}}`,
			`"background.color.dark" must be a colour written as #RGB or #RRGGBB, not "black". [bad-color] `},
		"colour that is code": {`"banner": {"content": "x", "color": "#fff;} body{"}`,
			`"banner.color" must be a colour written as #RGB or #RRGGBB, not "#fff;} body{". [bad-color] `},
		"kind of one of several": {`"logo": 7`, `"logo" must be text or an object, not a number. [wrong-type] `},
		"kind in a list": {`"footer": {"links": [{"items": ["x"]}]}`,
			`"footer.links[0].items[0]" must be an object, not text. [wrong-type] `},
		"navigation entry": {`"navigation": {"pages": ["a", 7]}`,
			`"navigation.pages[1]" must be text or an object, not a number. [wrong-type] `},
		"five columns": {
			`"footer": {"links": [{"items": []}, {"items": []}, {"items": []}, {"items": []}, {"items": []}]}`,
			`"footer.links" may have at most 4 entries; the rest is ignored. [too-many-items] `},
		"no primary colour": {`"colors": {"light": "#fff"}`, `"colors" has no "primary". [missing-key] `},
		"no address":        {`"navbar": {"primary": {"label": "Go"}}`, `"navbar.primary" needs "href". [bad-link] `},
		"no name": {`"navigation": {"tabs": [{"pages": ["a"]}]}`,
			`"navigation.tabs[0]" has no "tab". [missing-key] `},
		"language": {`"navigation": {"languages": [{"language": "English, please"}]}`,
			`"navigation.languages[0].language" must be a language code such as "en" or "pt-BR", not "English, please". [bad-value] `},
		"half a redirect": {`"redirects": [{"source": "/a", "destination": "/b"}, {"source": "/c"}]`,
			`"redirects[1]" needs "destination". [bad-redirect] `},
		"banner without text": {`"banner": {"type": "info"}`, `"banner" has no "content". [missing-key] `},
	} {
		t.Run(name, func(t *testing.T) {
			doc := "{\"name\": \"x\",\n" + c.part
			if !strings.HasPrefix(c.part, `"navigation"`) {
				doc += `, "navigation": []`
			}
			_, list := load(map[string]string{"docs.json": doc + "}"})
			if len(list) != 1 {
				t.Fatalf("findings %v", list)
			}
			d := list[0]
			got := fmt.Sprintf("%s [%s] %s", d.Message, d.Code, d.Hint)
			if got != c.want || d.File != "docs.json" || d.Line != 2 || d.Column < 1 {
				t.Errorf("got  %s at %s\nwant %s", got, d.Place(), c.want)
			}
		})
	}
}

func TestInvalidValuesAreDroppedAndTheRestIsKept(t *testing.T) {
	cfg,
		_ := load(map[string]string{
		"docs.json": `{"name": "x", "theme": 1, "colors": {"primary": "#ABC", "dark": "no"}, "navbar": {"links": [{"label": "a"}, {"label": "b", "href": "/b"}]},
		"footer": {"links": [{"items": []}, {"items": []}, {"items": []}, {"items": []}, {"items": []}]}, "navigation": {"groups": [{"group": "g", "boost": "high", "pages": ["a", null, 7, "b"]}]}}`})
	if cfg.Theme != "mint" || cfg.Colors.Primary != "#abc" || cfg.Colors.Dark != "" || len(cfg.Navbar.Links) != 1 ||
		len(cfg.Footer.Columns) != 4 {
		t.Errorf("%+v", cfg.Settings)
	}
	if got := outline(cfg.Nav, 0); got != "group g\n  page a\n  page b\n" || cfg.Nav[0].Details().Boost != 0 {
		t.Errorf("navigation %s", got)
	}
}

func TestNullMeansThatAKeyIsAbsent(t *testing.T) {
	without, _ := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"]}`})
	for _, k := range siteShape().keys {
		if k.idle != "" || k.name == "name" || k.name == "navigation" {
			continue
		}
		cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"], "` + k.name + `": null}`})
		if !reflect.DeepEqual(cfg, without) || len(list) > 0 {
			t.Errorf("%s: %+v %v", k.name, cfg, list)
		}
	}
	for _, doc := range []string{`"variables": {"a": null}`, `"gitVersions": {"tags": "v*", "aliases": {"a": null}}`} {
		cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"], ` + doc + `}`})
		if len(cfg.Variables) > 0 || len(cfg.GitVersions.Aliases) > 0 || len(list) > 0 {
			t.Errorf("%s: %v %v %v", doc, cfg.Variables, cfg.GitVersions.Aliases, list)
		}
	}
}

func TestNavigationEntriesAreTypedByTheirKey(t *testing.T) {
	cfg,
		list := load(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"pages": ["a", {"tab": "T", "icon": {"name": "star", "style": "thin"}, "pages": ["b"]}, {"anchor": "A", "color": {"light": "#fff"}, "href": "https://x.example"}]}}`})
	if got := outline(cfg.Nav, 0); got != "page a\ntab T\n  page b\nanchor A https://x.example\n" || len(list) > 0 {
		t.Errorf("%s %v", got, list)
	}
	if n := cfg.Nav[1]; n.Icon != "star" || n.Details().IconType != "thin" {
		t.Errorf("%+v", n)
	}
}

func TestNavigationInheritsBannerAndNavbar(t *testing.T) {
	cfg,
		list := load(map[string]string{
		"docs.json": `{"name": "x", "navbar": {"links": [{"label": "All", "href": "/all"}]}, "banner": {"content": "Hello"},
		"navigation": {"languages": [{"language": "en", "pages": ["a"]}, {"language": "fr", "banner": {"content": "Salut"}, "directory": "card", "groups": [{"group": "g", "groups": [{"group": "h"}, {"group": "i", "directory": "none", "groups": [{"group": "j"}]}]}]}],
		"global": {"anchors": [{"anchor": "Blog", "href": "https://x.example"}]}}}`})
	if len(list) > 0 || cfg.Nav[0].Details().Chrome != nil {
		t.Fatalf("%v %+v", list, cfg.Nav[0])
	}
	fr := cfg.Nav[1]
	if fr.Details().Chrome.Banner.Content != "Salut" || fr.Details().Chrome.Navbar.Links[0].Label != "All" ||
		cfg.Banner.Content != "Hello" {
		t.Errorf("%+v", fr.Details().Chrome)
	}
	g := fr.Children[0]
	if g.Details().Listing != "card" || g.Children[0].Details().Listing != "card" || g.Children[1].Details().
		Listing != "" || g.Children[1].Children[0].Details().Listing != "" || fr.Details().Listing != "" {
		t.Errorf("%+v", g)
	}
	if !cfg.Nav[2].Global || cfg.Nav[0].Global {
		t.Error("entries for every division are not marked as global, or others are")
	}
}

func TestErrorInAReferencedFileNamesThatFile(t *testing.T) {
	_, list := load(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"tabs": [{"tab": "a"}, {"$ref": "nav/b.json"}]}, "footer": {"$ref": "f.json", "links": []}}`, "nav/b.json": "{\"tab\": \"b\",\n \"gruops\": []}", "f.json": `{"socials": {"x": 7}}`,
	})
	var got []string
	for _, d := range list {
		got = append(got, d.Place()+" "+d.Code+" "+strings.SplitN(d.Message, `"`, 3)[1])
	}
	if want := `[f.json:1:19 wrong-type footer.socials.x nav/b.json:2:2 unknown-key navigation.tabs[1].gruops]`; fmt.Sprint(got) != want {
		t.Errorf("got %v", got)
	}
}

func TestNavigationDirectoryAppliesToEveryGroup(t *testing.T) {
	cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": {"directory": "card", "tabs": [
		{"tab": "t", "groups": [{"group": "g", "root": "a", "pages": ["b", {"group": "h", "directory": "none", "pages": ["c"]}]}]},
		{"tab": "u", "directory": "accordion", "groups": [{"group": "i", "pages": ["d"]}]}]}}`})
	if len(list) > 0 {
		t.Fatal(list)
	}
	g, i := cfg.Nav[0].Children[0], cfg.Nav[1].Children[0]
	got := []string{g.Details().Listing, g.Children[1].Details().Listing, i.Details().Listing}
	if want := []string{"card", "", "accordion"}; !slices.Equal(got, want) {
		t.Errorf("listings are %q, want %q", got, want)
	}
}

func TestLinkIconsHaveStyles(t *testing.T) {
	cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"], "navbar": {
		"links": [{"label": "l", "href": "/a", "icon": "star", "iconType": "regular"}, {"label": "m", "href": "/a", "icon": {"name": "bell", "style": "thin"}}]}}`})
	if links := cfg.Navbar.Links; len(list) > 0 || links[0].IconType != "regular" || links[1].Icon != "bell" ||
		links[1].IconType != "thin" {
		t.Errorf("%v %+v", list, cfg.Navbar)
	}
}

func TestAgentInstructionsMayBeAList(t *testing.T) {
	for doc, want := range map[string]site.Settings{
		`{}`: {FullSchema: true},
		`{"instructions": "One.\nTwo.", "schema": false}`: {AgentNote: "One.\nTwo."},
		`{"instructions": ["One.", "Two."]}`:              {AgentNote: "One.\nTwo.", FullSchema: true},
	} {
		cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"], "markdown": ` + doc + `}`})
		if len(list) > 0 || cfg.AgentNote != want.AgentNote || cfg.FullSchema != want.FullSchema {
			t.Errorf("%s: %q, full schema %v: %v", doc, cfg.AgentNote, cfg.FullSchema, list)
		}
	}
}

func TestKeysWithoutEffectHaveAHint(t *testing.T) {
	for doc, want := range map[string]string{
		`"integrations": {"transcend": {"bundleId": "k"}}`:                  "Add a script file that loads it, and allow its origin in security.allow.script.",
		`"styling": {"codeblocks": {"languages": {"custom": ["/a.json"]}}}`: "Use a similar, supported language in the code fence, such as js or c.",
	} {
		_, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"],` + "\n" + doc + `}`})
		switch {
		case want == "" && len(list) == 0:
		case len(list) != 1 || list[0].Code != "inapplicable-key" || list[0].Hint != want || list[0].Line != 2 ||
			list[0].Column < 10:
			t.Errorf("%s: %+v", doc, list)
		}
	}
}
