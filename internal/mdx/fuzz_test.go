package mdx_test

import (
	"testing"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"# a {#b}\n\nc *d* **e** ~f~ `g` $h$ [i](j \"k\") ![l](m)\n", "- a\n  - [x] b\n\n  c\n1. d\n",
		"> a\nb\n> - c\n", "|a|b|\n|-|:-:|\n|c|\\||\n",
		"<A b=\"&amp;\" c={1} {...d}>\n\n  e <F.G/> {h}\n\n</A>\n", "import a from 'b'\n\nexport const c = {\n\n}\n",
		"```js {1} a\nb\n```\n~~~\n", "$$\na\n$$\n",
		"[^a] [b] [c][b]\n\n[^a]: d\n\n    e\n\n[b]: <f> 'g'\n", "<br> <!-- a --> <https://b.c> <5 {d </e> <f_g>",
		"www.a.b http://c.d/e) f@g.h", "\"a\" 'b' -- ...\r\n\tc\x00\xff",
		"> <A\n> b={`\n>   c`}\n> />\n", "- <a>\n</a>\n", "*a <b>c* d</b>", "a\n===\nb\n---\n",
		"&#x41;&copy;\\*\\\na  \nb", "<a\n/> b\n> c", "\ufeff# a\r\rb",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		root, list := mdx.Parse("a.mdx", body, 1)
		checkSpans(t, body, root.Span, root.Children)
		for _, d := range list {
			if d.Line < 1 || d.Column < 1 || d.Message == "" || d.Code == "" {
				t.Errorf("finding without a place: %+v", d)
			}
		}
		checkText(t, root.Children)
		checkText(t, mdx.Inline(string(body)))
	})
}

// checkSpans checks that the spans of nodes are inside those of their parents, and all of them inside the body.
func checkSpans(t *testing.T, body []byte, parent ast.Span, nodes []ast.Node) {
	for _, n := range nodes {
		s := n.Place()
		if s.Start > s.End || s.Start < parent.Start || s.End > parent.End || s.End > len(body) {
			t.Errorf("%T %v is not inside %v of %q", n, s, parent, body)
		}
		if e, ok := n.(*ast.Element); ok {
			for _, a := range e.Attrs {
				if a.Start < e.Open.Start || a.End > e.Open.End || a.ValueSpan.Start > a.ValueSpan.End ||
					a.ValueSpan.End > a.End {
					t.Errorf("attribute %+v is not inside %v of %q", a, e.Open, body)
				}
			}
		}
		if p, ok := n.(ast.Parent); ok {
			checkSpans(t, body, s, *p.List())
		}
	}
}

func checkText(t *testing.T, nodes []ast.Node) {
	ast.Walk(nodes, func(n ast.Node) bool {
		if text, ok := n.(*ast.Text); ok && (text.Value == "" || !utf8.ValidString(text.Value)) {
			t.Errorf("text %q is empty or broken", text.Value)
		}
		return true
	})
}
