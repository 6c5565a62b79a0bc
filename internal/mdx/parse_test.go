package mdx_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestInlineTreatsTagsBracesAndDollarsAsText(t *testing.T) {
	for in, want := range map[string]string{
		"a **b** `c`":        "a <strong>b</strong> <code>c</code>",
		"<A> {b} $c$ \"d\"":  "<A> {b} $c$ \"d\"",
		"~a~ [b](c) ![d](e)": "<del>a</del> <a c>b</a> <img d>",
		"http://a.b &amp; ":  "http://a.b &",
		"  # a\r\nb":         "# a\nb",
		"":                   "",
	} {
		if got := flat(mdx.Inline(in)); got != want {
			t.Errorf("Inline(%q) = %q, want %q", in, got, want)
		}
	}
}

func flat(nodes []ast.Node) string {
	var b strings.Builder
	wrap := func(tag string, c []ast.Node) { b.WriteString("<" + tag + ">" + flat(c) + "</" + tag + ">") }
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(n.Value)
		case *ast.CodeSpan:
			b.WriteString("<code>" + n.Value + "</code>")
		case *ast.Strong:
			wrap("strong", n.Children)
		case *ast.Strike:
			wrap("del", n.Children)
		case *ast.Link:
			b.WriteString("<a " + n.URL + ">" + flat(n.Children) + "</a>")
		case *ast.Image:
			b.WriteString("<img " + n.Alt + ">")
		}
	}
	return b.String()
}

func TestPositionsCountFileLinesAndCharacters(t *testing.T) {
	_, list := mdx.Parse("p.mdx", []byte("a\r\nγδ <5\n"), 7)
	if len(list) != 1 || list[0].Line != 8 || list[0].Column != 4 || list[0].File != "p.mdx" {
		t.Errorf("findings = %v", list)
	}
}

func TestNestingIsBounded(t *testing.T) {
	const n = 20_000
	for name, body := range map[string]string{
		"quotes": strings.Repeat("> ", n), "lists": strings.Repeat("* - ", n), "tags": strings.Repeat("<A>\n", n) +
			strings.Repeat("</A>\n", n),
		"inline tags": "x " + strings.Repeat("<a>", n) + strings.Repeat("</a>", n),
		"unclosed":    strings.Repeat("<div>\n", n),
	} {
		root, list := mdx.Parse("p.mdx", []byte(body), 1)
		if d := depth(root.Children); d > 450 {
			t.Errorf("%s: tree is %d deep", name, d)
		}
		if !list.HasErrors() || len(list) > 80 {
			t.Errorf("%s: %d findings", name, len(list))
		}
	}
	root, _ := mdx.Parse("p.mdx", []byte(strings.Repeat("*a **b ", n)+strings.Repeat("b** a*", n)), 1)
	if d := depth(root.Children); d > 250 {
		t.Errorf("emphasis: tree is %d deep", d)
	}
}

func depth(nodes []ast.Node) int {
	deepest := 0
	for _, n := range nodes {
		d := 1
		if p, ok := n.(ast.Parent); ok {
			d += depth(*p.List())
		}
		deepest = max(deepest, d)
	}
	return deepest
}

func TestFindingsAreBounded(t *testing.T) {
	_, list := mdx.Parse("p.mdx", bytes.Repeat([]byte("<5 <div a='b'>\n\n"), 500), 1)
	if len(list) > 70 || !list.HasErrors() {
		t.Errorf("%d findings", len(list))
	}
}

func TestByteOrderMarkIsNotText(t *testing.T) {
	root, _ := mdx.Parse("p.mdx", []byte("\ufeff# a"), 1)
	if h, ok := root.Children[0].(*ast.Heading); !ok || h.Start != 3 {
		t.Errorf("first node = %#v", root.Children[0])
	}
}

func BenchmarkParse(b *testing.B) {
	page := []byte(strings.Repeat(
		"## Heading\n\nSome *text* with `code`, a [link](/b) and it's \"quoted\".\nMore text in <b>tags</b>.\n\n<Card title=\"a\" icon={1}>\n"+
			"  - one\n  - two **bold**\n\n  ```js\n  let a = 1\n  ```\n</Card>\n\n| a | b |\n|---|---|\n| c | d |\n\n",
		40))
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		mdx.Parse("p.mdx", page, 1)
	}
}
