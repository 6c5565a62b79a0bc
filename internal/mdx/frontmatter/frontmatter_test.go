package frontmatter

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

func TestParseReadsKnownFieldsAndLeavesTheBody(t *testing.T) {
	src := "\ufeff---\r\ntitle: \"It's: a start\"\r\nsidebarTitle: Start\r\nhidden: true\r\nkeywords: [a, b c]\r\nog:title: Card\r\nversion: 1.0\r\ndescription: >\r\n  two\r\n  lines\r\n---\r\n# Body\r\n"
	p, list := Parse("a.mdx", []byte(src))
	if len(list) > 0 {
		t.Fatalf("diagnostics: %v", list)
	}
	f := p.Fields
	if f.Title != "It's: a start" || f.SidebarTitle != "Start" || !f.Hidden || f.Description != "two lines" {
		t.Errorf("fields = %+v", f)
	}
	if strings.Join(f.Keywords, "|") != "a|b c" || len(f.Meta) != 1 || f.Meta[0] != (Pair{"og:title", "Card"}) {
		t.Errorf("keywords %q meta %v", f.Keywords, f.Meta)
	}
	if string(p.Body) != "# Body\r\n" || p.BodyLine != 12 {
		t.Errorf("body %q at line %d", p.Body, p.BodyLine)
	}
}

func TestPageWithoutFrontMatterIsAllBody(t *testing.T) {
	for _, src := range []string{"", "text", "----\nx", "# a\n\n---\n", "---", "---\n\n<Card>x</Card>\n",
		"---\nSee https://example.org: x\n"} {
		p, list := Parse("a.mdx", []byte(src))
		if string(p.Body) != src || p.BodyLine != 1 || len(list) > 0 {
			t.Errorf("Parse(%q) = %+v %v", src, p, list)
		}
	}
}

func TestBrokenFrontMatterIsReportedAtItsPosition(t *testing.T) {
	for name, c := range map[string]struct {
		src, code string
		line      int
	}{
		"no end":    {"---\ntitle: x\n", "front-matter-open", 1},
		"bad value": {"---\ntitle: ok\ndescription: \"open\nicon: x\n---\n", "front-matter-syntax", 3},
		"bad colon": {"---\ntitle: a: b\n---\n", "front-matter-syntax", 2},
		"twice":     {"---\ntitle: a\ntitle: b\n---\n", "front-matter-syntax", 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, list := Parse("p.mdx", []byte(c.src))
			if !list.HasErrors() || list[0].Code != c.code || list[0].Line != c.line || list[0].Column < 1 ||
				list[0].File != "p.mdx" {
				t.Errorf("got %+v, want %s at line %d", list, c.code, c.line)
			}
		})
	}
}

// A block after white space is text of the page. If it restricts the readers of the page, the page is hidden.
func TestFrontMatterAfterWhiteSpaceIsReported(t *testing.T) {
	for src, want := range map[string]struct {
		line, column int
		hides        bool
	}{
		"\n---\ntitle: x\n---\nText":                   {2, 1, false},
		" ---\ntitle: x\n---\nText":                    {1, 2, false},
		"\r\n\r\n---\r\ngroups: [a]\r\n---\r\nText":    {3, 1, true},
		"\t---\ntitle: x\nGroups: [a]\n---\nText":      {1, 2, true},
		"\ufeff\ufeff---\n\"groups\": a\n---\nText":    {1, 2, true},
		"\u200b---\npublic: true\n---\nText":           {1, 2, true},
		"\n---\ntitle: \"x\n  groups : [a]\n---\nText": {2, 1, true}, // not even YAML
		"\n---\n{groups: [a]}\n---\nText":              {2, 1, true},
		"\n---\ntitle: x\ngroups: [a]\n\nNo end":       {2, 1, true},
		"\ufeff\n---\ngroups: [a]\n---\n\npublic: yes": {2, 1, true},
	} {
		p, list := Parse("p.mdx", []byte(src))
		code := "front-matter-place"
		if want.hides {
			code = "misplaced-groups"
		}
		if len(list) != 1 || list[0].Code != code || list[0].Line != want.line ||
			list[0].Column != want.column || list[0].Hint == "" || list.HasErrors() != want.hides ||
			(len(p.Fields.Groups) == 1 && p.Fields.Groups[0] == "") != want.hides || p.Fields.Title != "" {
			t.Errorf("%q: %+v %+v", src, p.Fields, list)
		}
	}
	for _, src := range []string{"\n---\n\n<Card/>", "\n---\nText\n---\nMore", "\n----\ngroups: a\n", "\nText\n---\ngroups: a\n---\n",
		"\n---\nSome text\n\ngroups: a\n", "\ufeff---\ngroups: [a]\n---\n", "\n---"} {
		if p, list := Parse("p.mdx", []byte(src)); len(list) > 0 || len(p.Fields.Groups) == 1 && p.Fields.Groups[0] == "" {
			t.Errorf("%q: %+v %+v", src, p.Fields, list)
		}
	}
}

func TestWrongTypesAreWarnings(t *testing.T) {
	p, list := Parse("p.mdx", []byte("---\ntitle: [a]\nhidden: maybe\nicon: flag\n---\n"))
	if len(list) != 2 || list.HasErrors() || p.Fields.Icon != "flag" || list[0].Line != 2 || list[1].Line != 3 {
		t.Errorf("%+v %v", p.Fields, list)
	}
}

func TestNonMappingFrontMatterIsIgnored(t *testing.T) {
	for _, src := range []string{"---\n- a\n- b\n---\nx", "---\njust text\n---\nx"} {
		p, list := Parse("p.mdx", []byte(src))
		if list.HasErrors() || len(list) != 1 || list[0].Code != "front-matter-shape" || list[0].Line != 2 ||
			string(p.Body) != "x" {
			t.Errorf("%q: %+v %v", src, p, list)
		}
	}
}

func TestAliasBombIsNotExpanded(t *testing.T) {
	src := "---\na: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ntitle: *c\n---\n"
	p, list := Parse("p.mdx", []byte(src))
	if p.Fields.Title != "" || len(list) != 1 || list[0].Severity != diag.Warning {
		t.Errorf("%+v %v", p.Fields, list)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"---\ntitle: a\n---\nb", "---\n---\n", "---\n? [a\n---", "---\na: &a *a\n---\n",
		"---\ntitle: |\n  x\n---\n", "---\n\t\n---\n", "---\n{a: {b: [\n---\n",
		"---\ncontextual: {options: [copy, {title: a, href: {base: b}}]}\ngroups: {a: [b]}\nboost: 1e400\nicon: {name: x}\n---\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, list := Parse("f.mdx", src)
		if strings.ContainsAny(p.Fields.Title, "\r\n") {
			t.Fatalf("title %q spans lines", p.Fields.Title)
		}
		lines := 2 + strings.Count(string(src), "\n")
		for _, d := range list {
			if d.Line < 1 || d.Line > lines || d.Column < 1 {
				t.Fatalf("position %d:%d outside a page of %d lines", d.Line, d.Column, lines)
			}
		}
	})
}

func TestMisspeltKeysAreReported(t *testing.T) {
	for key, want := range map[string]string{
		"sidebartitle": "sidebarTitle", "sideBarTitle": "sidebarTitle", "desciption": "description",
		"descripton": "description", "Title": "title", "keyword": "keywords", "no-index": "noindex",
		"serchable": "searchable", "tags": "", "date": "", "author": "", "summary": "", "slug": "", "status": "",
		"owner": "", "sidebar_position": "", "last_updated": "", "url": "", "og:titel": "", "id": "",
	} {
		_, list := Parse("p.mdx", []byte("---\ntitle: x\n"+key+": y\n---\n"))
		hint := ""
		for _, d := range list {
			if d.Code == "front-matter-key" && d.Line == 3 && d.Column == 1 {
				hint = d.Hint
			}
		}
		if (want == "") != (hint == "") || !strings.Contains(hint, want) {
			t.Errorf("%s: hint %q, want %q", key, hint, want)
		}
	}
}

func TestEveryKeyHasAType(t *testing.T) {
	for line, code := range map[string]string{
		"mode: wide": "", "mode: wid": "front-matter-value", "mode: [wide]": "front-matter-type",
		"playground: simple": "", "playground: off": "front-matter-value",
		"boost: 3": "", "boost: 0.5": "", "boost: high": "front-matter-type", "boost: -1": "front-matter-type",
		"boost: .nan": "front-matter-type", "boost: 1e9": "front-matter-type",
		"searchable: false": "", "searchable: maybe": "front-matter-type", "timestamp: true": "",
		"rss: 7": "front-matter-type", "hideApiMarker: true": "",
		"related: [a, b]": "", "related: {a: b}": "front-matter-type", "related: false": "", "groups: staff": "",
		"groups: {a: b}": "front-matter-type", "public: 'yes'": "front-matter-type",
		"lastUpdatedDate: 2026-01-02": "", "contextual: false": "", "contextual: {options: [copy]}": "",
		"icon: {name: x, style: thin}": "", "icon: [x]": "front-matter-type", "version: 1.0": "", "sdk: {a: b}": "",
	} {
		_, list := Parse("p.mdx", []byte("---\n"+line+"\n---\n"))
		got := ""
		if len(list) > 0 {
			got = list[0].Code
		}
		if got != code || len(list) > 1 {
			t.Errorf("%s: %v, want %q", line, list, code)
		}
	}
}

func TestInvalidReadersHideThePage(t *testing.T) {
	for src, want := range map[string]int{"groups: {a: b}": 1, "groups: &a {b: c}": 1, "groups: true": 1,
		"groups: [a, b]": 2, "groups: []": 0, "groups:": 0, "groups: ['']": 1, "groups: [' ', '']": 1, "groups: [a, '']": 1} {
		p, _ := Parse("p.mdx", []byte("---\n"+src+"\n---\n"))
		if len(p.Fields.Groups) != want {
			t.Errorf("%s: groups %q", src, p.Fields.Groups)
		}
	}
}
