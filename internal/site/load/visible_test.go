package load

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// hidden implies noindex. noindex does not imply hidden, but it also removes the page from the site's own search.
// searchable: false affects only the site's own search, and robots affects only search engines. Pages outside the
// navigation are only kept out of search engines.
func TestVisibilityMatrix(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json":  `{"name": "x", "navigation": ["plain", "hidden", "noindex", "silent", "robots"]}`,
		"plain.mdx":  "---\ntitle: A\n---\n",
		"hidden.mdx": "---\ntitle: A\nhidden: true\n---\n", "noindex.mdx": "---\ntitle: A\nnoindex: true\n---\n",
		"silent.mdx": "---\ntitle: A\nsearchable: false\n---\n",
		"robots.mdx": "---\ntitle: A\nrobots: noindex, nofollow\n---\n", "unlisted.mdx": "---\ntitle: A\n---\n",
	}))
	if len(list) > 0 {
		t.Fatal(list)
	}
	type row struct{ hidden, noindex, silent, offered, offeredIfAll bool }
	for path, want := range map[string]row{
		"plain":    {offered: true, offeredIfAll: true},
		"hidden":   {hidden: true, noindex: true},
		"noindex":  {noindex: true, silent: true},
		"silent":   {silent: true, offered: true, offeredIfAll: true},
		"robots":   {noindex: true},
		"unlisted": {offeredIfAll: true},
	} {
		p := s.Find(path)
		if got := (row{p.Hidden, p.NoIndex, p.Unsearchable, p.Indexed(false), p.Indexed(true)}); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}

func TestPagesInheritFromTheirNavigation(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"tabs": [
			{"tab": "A", "boost": 2, "groups": [{"group": "g", "boost": 3, "root": "root", "pages": ["near", "own", {"group": "deep", "pages": ["deep"]}]}, {"group": "h", "pages": ["far"]}]},
			{"tab": "B", "searchable": false, "groups": [{"group": "i", "pages": ["silent", "both"]}]},
			{"tab": "C", "hidden": true, "groups": [{"group": "j", "pages": ["hidden", "shown"]}]},
			{"tab": "D", "groups": [{"group": "k", "pages": ["both", "shown"]}]}]}}`,
		"root.mdx": "x", "near.mdx": "x", "own.mdx": "---\nboost: 0.5\n---\n", "deep.mdx": "x", "far.mdx": "x",
		"silent.mdx": "x", "both.mdx": "x", "hidden.mdx": "x", "shown.mdx": "x",
	}))
	if len(list) > 0 {
		t.Fatal(list)
	}
	for path, want := range map[string]float64{"root": 3, "near": 3, "own": 0.5, "deep": 3, "far": 2, "silent": 0} {
		if got := s.Find(path).Boost; got != want {
			t.Errorf("%s has the weight %v, want %v", path, got, want)
		}
	}
	for path, want := range map[string][2]bool{"silent": {true, false}, "both": {}, "hidden": {false, true},
		"shown": {}, "near": {}} {
		p := s.Find(path)
		if got := [2]bool{p.Unsearchable, p.Hidden}; got != want {
			t.Errorf("%s: unsearchable, hidden = %v, want %v", path, got, want)
		}
		if p.NoIndex != p.Hidden {
			t.Errorf("%s: noindex is %v", path, p.NoIndex)
		}
	}
}

// Front matter that is ignored because of its position must not make a page public: the page, its entry and its image
// are withheld, even from readers in its group.
func TestPageWithMisplacedGroupsIsWithheld(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json":  `{"name": "x", "navigation": {"groups": [{"group": "g", "pages": ["a", "secret"]}]}}`,
		"a.mdx":      "x",
		"secret.mdx": "\n---\ntitle: S\ngroups: [staff]\n---\n\n![x](/plan.png)\n", "plan.png": "png",
	}))
	if got := strings.Join(paths(s), " "); got != "a" || len(s.Assets) > 0 || len(s.Failed) > 0 {
		t.Errorf("pages %s, files %v, failed %v", got, s.Assets, s.Failed)
	}
	if got := codes(list); got != "secret.mdx misplaced-groups; secret.mdx restricted-page" || !list.HasErrors() {
		t.Errorf("findings %s", got)
	}
}

// The same applies to invalid front matter. A page without groups merely fails to load. Its image is published, because
// other pages may use it.
func TestFilesOfPagesWithBrokenGroupsAreWithheld(t *testing.T) {
	for name, page := range map[string]string{
		"a mistake elsewhere": "---\ngroups: [staff]\ntitle: [\n---\n\n![x](/plan.png)\n",
		"a mistake in groups": "---\ngroups: [staff\ntitle: x\n---\n\n![x](/plan.png)\n",
		"public besides":      "---\npublic: true\ngroups: [staff]\ntitle: [\n---\n\n![x](/plan.png)\n",
		"never closed":        "---\ntitle: x\ngroups: [staff]\n\n![x](/plan.png)\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, list := load(t, files(map[string]string{
				"docs.json": `{"name": "x", "navigation": {"pages": ["a", "secret"]}}`,
				"a.mdx":     "x", "secret.mdx": page, "plan.png": "png",
			}))
			if got := strings.Join(paths(s), " "); got != "a" || len(s.Assets) > 0 || !list.HasErrors() {
				t.Errorf("pages %s, files %v, findings %s", got, s.Assets, codes(list))
			}
		})
	}
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"pages": ["a", "open"]}}`,
		"a.mdx":     "x", "open.mdx": "---\ntitle: [\n---\n\n![x](/plan.png)\n", "plan.png": "png",
	}))
	if len(s.Assets) != 1 || len(s.Failed) != 1 || !list.HasErrors() {
		t.Errorf("files %v, failed %v, findings %s", s.Assets, s.Failed, codes(list))
	}
}

// C7: restricted pages are not in any list, because sites do not authenticate readers.
func TestRestrictedPagesAreOmittedAndReported(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"groups": [{"group": "g", "public": true, "pages": ["a", "secret", "open", "odd", {"group": "only", "root": "secret2", "openapi": "api.json"}]}]}}`,
		"a.mdx":     "x", "secret.mdx": "---\ntitle: S\ngroups: [staff]\n---\n",
		"secret2.mdx": "---\ngroups: staff, admin\n---\n", "open.mdx": "---\ngroups: [staff]\npublic: true\n---\n",
		"odd.mdx": "---\ngroups: {staff: true}\n---\n", "none.mdx": "---\ngroups: []\n---\n",
		"api.json": `{"openapi": "3.1.0", "info": {}, "paths": {"/in": {"get": {"summary": "In", "x-mint": {"groups": ["staff"]}}}, "/out": {"get": {"summary": "Out"}}}}`,
	}))
	if got := strings.Join(paths(s), " "); got != "a api-reference/out none open" {
		t.Errorf("pages %s", got)
	}
	site.Walk(s.Nav, func(n *site.Node) bool {
		if strings.Contains(n.Page, "secret") || n.Page == "odd" {
			t.Errorf("navigation names %q", n.Page)
		}
		return true
	})
	if got := codes(
		list); got != "api.json restricted-page; odd.mdx front-matter-type; odd.mdx restricted-page; secret.mdx restricted-page; secret2.mdx restricted-page" {
		t.Errorf("findings %s", got)
	}
	if len(s.Assets) != 1 || !strings.Contains(s.Assets[0].Data, `"/out"`) || strings.Contains(s.Assets[0].Data, "/in") ||
		strings.Contains(s.Assets[0].Data, "In") {
		t.Errorf("a description with a restricted part is copied: %v", s.Assets)
	}
	if len(s.Left)+len(s.Failed) > 0 || list.HasErrors() {
		t.Errorf("left %v failed %v", s.Left, s.Failed)
	}
	for _, d := range list {
		if d.Code == "restricted-page" && (d.Severity != diag.Warning || d.Hint == "") {
			t.Errorf("%+v", d)
		}
	}
}

func TestEveryFrontMatterFieldReachesThePage(t *testing.T) {
	s, list := load(t, files(map[string]string{"docs.json": `{"name": "x", "navigation": ["a", "b", "c"]}`,
		"a.mdx": `---
title: T
sidebarTitle: S
description: D
icon: {name: flag, style: regular}
tag: NEW
mode: wide
canonical: https://x.example/a
keywords: [k]
boost: 2.5
searchable: false
related: [b, /c]
hideApiMarker: true
hideFooterPagination: true
deprecated: true
public: true
rss: true
timestamp: false
lastUpdatedDate: 2026-01-02
contextual: {options: [copy, {title: Own, href: "https://x.example"}], display: toc}
og:title: O
---
`, "b.mdx": "---\ncontextual: false\nmode: default\niconType: solid\n---\n",
		"c.mdx": "---\ncontextual: [copy, nope]\n---\n"}))
	p := s.Find("a")
	own := p.Details()
	if p.SidebarTitle != "S" || p.Icon != "flag" || own.IconType != "regular" || own.Tag != "NEW" ||
		own.Mode != "wide" || own.Canonical == "" || p.Boost != 2.5 || !p.Unsearchable {
		t.Errorf("%+v", p)
	}
	if strings.Join(own.Related, " ") != "b /c" || !p.NoMark || !p.NoPagination || !p.Deprecated || !p.Public ||
		!p.Feed || own.Timestamp == nil || *own.Timestamp || own.Updated != "2026-01-02" {
		t.Errorf("%+v", p)
	}
	if own.Menu == nil || len(own.Menu.Options) != 2 || own.Menu.Options[1].Title != "Own" || !own.Menu.InTOC ||
		len(own.Meta) != 1 {
		t.Errorf("%+v", own.Menu)
	}
	if b := s.Find("b").Details(); b.Menu == nil || len(b.Menu.Options) != 0 || b.Mode != "" || b.IconType != "solid" ||
		b.Timestamp != nil {
		t.Errorf("%+v", b)
	}
	if c := s.Find("c").Details(); c.Menu == nil || len(c.Menu.Options) != 1 {
		t.Errorf("%+v", c.Menu)
	}
	if len(list) != 1 || list[0].File != "c.mdx" || list[0].Code != "bad-value" || list[0].Line != 2 ||
		!strings.Contains(list[0].Message, "contextual.options[1]") {
		t.Errorf("findings %v", list)
	}
}
