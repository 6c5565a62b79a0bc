package mdx

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestTextInCodeElementsIsKeptAsTyped(t *testing.T) {
	for in, want := range map[string]string{
		`<pre>"a" -- it's...</pre>`:                  `"a" -- it's...`,
		"<pre>\n<code>\n\"a\" -- b\n</code>\n</pre>": `"a" -- b`,
		`see <code>"x"...</code>`:                    `see "x"...`,
		`<div>"a"...</div>`:                          `“a”…`,
		"<pre>\n“a” \"b\"\n</pre>":                   "“a” “b”",
	} {
		root, _ := Parse("p.mdx", []byte(in), 1)
		if got := ast.PlainText(root.Children); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
