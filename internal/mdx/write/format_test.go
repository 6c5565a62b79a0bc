package write

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

var update = flag.Bool("update", false, "rewrite the wanted files")

func TestFormatChangesOnlyWhatIsSafe(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*.in.mdx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out := formatted(t, src)
			want := strings.Replace(file, ".in.", ".want.", 1)
			if *update {
				if err := os.WriteFile(want, out, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			expected, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out, expected) {
				t.Errorf("got:\n%s\nwant:\n%s", out, expected)
			}
		})
	}
}

// formatted formats a page and checks the result: the tree and the front matter are the same, and formatting again
// changes nothing.
func formatted(t *testing.T, src []byte) []byte {
	t.Helper()
	before := bytes.Clone(src)
	out, changed, list := Format(src)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	if !bytes.Equal(src, before) {
		t.Error("the source was changed in place")
	}
	if changed == bytes.Equal(src, out) {
		t.Errorf("changed is %v", changed)
	}
	if again, changed, _ := Format(out); changed {
		t.Errorf("formatting twice differs:\n%s\n--- then\n%s", out, again)
	}
	a, _ := frontmatter.Parse("", src)
	b, _ := frontmatter.Parse("", out)
	if fmt.Sprint(a.Fields) != fmt.Sprint(b.Fields) {
		t.Errorf("front matter %v became %v", a.Fields, b.Fields)
	}
	first, _ := mdx.Parse("", a.Body, 1)
	second, _ := mdx.Parse("", b.Body, 1)
	if x, y := meaning(first.Children), meaning(second.Children); x != y {
		t.Errorf("the tree changed:\n%s\n%s", x, y)
	}
	return out
}

func TestFormatRefusesPagesThatDoNotParse(t *testing.T) {
	for _, src := range []string{"---\ntitle: [x\n---\n\nText   \n", "<A>\n<B>\n\ntext   \n\n</A>\n\n<B></B>\n",
		"> <Card>\n\ntext   \n\n</Card>\n"} {
		out, changed, list := Format([]byte(src))
		if changed || string(out) != src || !list.HasErrors() {
			t.Errorf("%q: changed %v, %q, %v", src, changed, out, list)
		}
		if len(list) > 0 && list[0].Line == 0 {
			t.Errorf("%q: no line in %v", src, list[0])
		}
	}
}

func TestFormatEndsFilesWithOneNewline(t *testing.T) {
	for src, want := range map[string]string{
		"": "", "\n\n": "\n", "a": "a\n", "a\n\n\n": "a\n", "a  \n  \n": "a\n",
		"---\ntitle: x\n---\n\n\n": "---\ntitle: x\n---\n", "---\ntitle: x\n---": "---\ntitle: x\n---",
	} {
		if out := formatted(t, []byte(src)); string(out) != want {
			t.Errorf("%q became %q, want %q", src, out, want)
		}
	}
}

func TestMeaningDistinguishesTrees(t *testing.T) {
	seen := map[string]string{}
	for _, src := range []string{
		"a", "# a", "## a", "- a", "* a\n\n  b", "1. a", "2. a", "- a\n- b", "- a\n\n- b", "- [ ] a", "- [x] a", "`a`",
		"*a*", "**a**", "[a](b)", "[a](c)", "![a](b)", "<a/>", "<a b/>", "<a b=\"\"/>",
		"<a b={1}/>", "{a}", "{b}", "a {a}", "```\na\n```", "```js\na\n```", "```js b\na\n```", "```\na \n```",
		"| a |\n|-|", "| a |\n|:-|", "$a$", "$$\na\n$$", "import a from 'a'", "a\\\nb", "a\nb", "> a", "---", "~~a~~",
	} {
		root, list := parse([]byte(src), 1)
		if list.HasErrors() {
			t.Fatalf("%q: %v", src, list)
		}
		m := meaning(root.Children)
		if other, ok := seen[m]; ok {
			t.Errorf("%q and %q mean the same", src, other)
		}
		seen[m] = src
	}
}

func FuzzFormatKeepsTheTree(f *testing.F) {
	files, err := filepath.Glob("testdata/format/*.in.mdx")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, _, list := Format(src); !list.HasErrors() {
			formatted(t, src)
		}
	})
}
