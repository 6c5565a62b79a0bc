package markdown

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

var update = flag.Bool("update", false, "write the golden files anew")

func refuse(dest string, _ bool) (string, bool) { return dest, !strings.HasPrefix(dest, "javascript:") }

func TestEveryNodeKindIsWrittenAsMarkdown(t *testing.T) {
	body, err := os.ReadFile("testdata/all.mdx")
	if err != nil {
		t.Fatal(err)
	}
	s := expander(fstest.MapFS{})
	defer s.Close()
	p, list := s.Page(context.Background(), &ast.File{Name: "all.mdx", Body: body, Line: 1})
	if list.HasErrors() {
		t.Fatal(list)
	}
	got := Render(Page{Title: "All *kinds*", Description: "Of [content]", Index: "https://docs.example.com/llms.txt",
		Nodes: p.Nodes}, refuse)
	golden := filepath.Join("testdata", "all.md")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("differs from %s (%v): %s", golden, err, firstDifference(string(want), string(got)))
	}
	again(t, "all.md", got)
}

// C7: authors' text from any source remains text, and a title cannot break out of its line.
func TestTextRoundTrips(t *testing.T) {
	for _, text := range []string{
		"# a", "a](javascript:x)", "[x](y)", "<script>", "{1+1}", "$x$", "`code`", "*a* _b_ __c__ **d** ~~e~~", `\`,
		`\*`, "&amp; &copy; &#60;", "1. a", "- a", "> a", "--- ", "===",
		"| a | b |", "import x from 'y'", "export const a = 1", "![a](b)", "http://a_b_c.example/d", "a\nb",
		"<!-- x -->", "</div>", "~~~", "```", ": x", "\x00\x1b[0m", "é*ü*", "a*b*c", "a_b_", "[^1]", "+", "*", "a  b",
	} {
		for name, make := range map[string]func(string) ([]byte, []ast.Node){
			"heading": func(s string) ([]byte, []ast.Node) { return Render(Page{Title: s}, nil), nil },
			"paragraph": func(s string) ([]byte, []ast.Node) {
				return Fragment([]ast.Node{&ast.Text{Value: s}}, nil), nil
			},
			"link": func(s string) ([]byte, []ast.Node) { return []byte("- " + Link(s, "/x")), nil },
		} {
			out, _ := make(text)
			root, list := mdx.ParseWith(mdx.Options{}, "x.md", out, 1)
			got := oneLine(ast.PlainText(root.Children))
			want := oneLine(strings.Map(func(r rune) rune {
				if r < ' ' && r != '\n' {
					return -1
				}
				return r
			}, text))
			if list.HasErrors() || got != want {
				t.Errorf("%s %q gives %q, read as %q (%v)", name, text, out, got, list)
			}
		}
	}
}

func TestURLsCannotBreakOutOfLink(t *testing.T) {
	for _, href := range []string{"/a b", "/a)b(", "/a\"x", "/{id}", "/a`b", "/<x>", "/a\\", "/a&amp;b", "/a|b",
		"/a\nb", "/$x$"} {
		root, list := mdx.ParseWith(mdx.Options{}, "x.md", []byte("| "+Link("x", href)+" | y |\n| - | - |\n"), 1)
		found := 0
		ast.Walk(root.Children, func(n ast.Node) bool {
			if _, ok := n.(*ast.Link); ok {
				found++
			}
			return true
		})
		if found != 1 || list.HasErrors() || oneLine(ast.PlainText(root.Children)) != "xy" {
			t.Errorf("%q gives %s (%d links, %q)", href, Link("x", href), found, ast.PlainText(root.Children))
		}
	}
}

func TestSnippetFootnotesDoNotClashWithPage(t *testing.T) {
	note := func(text string) []ast.Node {
		return []ast.Node{
			&ast.Paragraph{Children: ast.Children{&ast.Text{Value: "x"}, &ast.FootnoteRef{Number: 1, Nth: 1}}},
			&ast.Footnote{Number: 1,
				Children: ast.Children{&ast.Paragraph{Children: ast.Children{&ast.Text{Value: text}}}}},
		}
	}
	got := string(Fragment(append(note("page"), &ast.Included{Children: note("snippet")}), nil))
	if want := "x[^1]\n\nx[^1-1]\n\n[^1]: page\n\n[^1-1]: snippet\n"; got != want {
		t.Errorf("%q", got)
	}
}

// Output is limited even for a page with extreme nesting, or with a prefix on every line.
func TestOutputIsBounded(t *testing.T) {
	deep := []ast.Node{&ast.Text{Value: "x"}}
	for range 5000 {
		deep = []ast.Node{&ast.Quote{Children: deep}}
	}
	if out := Fragment(deep, nil); len(out) > 10_000 {
		t.Errorf("%d bytes of quotes", len(out))
	}
	twice := []ast.Node{&ast.Text{Value: "x"}}
	for range 60 {
		twice = []ast.Node{&ast.Element{Name: "span", Children: ast.Children{twice[0], twice[0]}}}
	}
	if out := Fragment(twice, nil); len(out) > maxBytes+4096 {
		t.Errorf("%d bytes of spans", len(out))
	}
	long := []ast.Node{&ast.Text{Value: strings.Repeat("x\n", 1_000_000)}}
	for range 90 {
		long = []ast.Node{&ast.Quote{Children: long}}
	}
	if out := Fragment(long, nil); len(out) > maxBytes+4096 {
		t.Errorf("%d bytes of lines", len(out))
	}
}

func FuzzTwinReadsAgain(f *testing.F) {
	body, err := os.ReadFile("testdata/all.mdx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(body))
	for part := range strings.SplitSeq(string(body), "\n\n") {
		f.Add(part)
	}
	s := expander(fstest.MapFS{})
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, body string) {
		// author code has its own tests and is slow
		if strings.Contains(body, "=>") || strings.Contains(body, "function") {
			return
		}
		p, list := s.Page(context.Background(), &ast.File{Name: "x.mdx", Body: []byte(body), Line: 1})
		if list.HasErrors() {
			return
		}
		out := Fragment(p.Nodes, refuse)
		root, list := mdx.ParseWith(mdx.Options{}, "x.md", out, 1)
		if list.HasErrors() {
			t.Fatalf("%q gives %q: %v", body, out, list)
		}
		ast.Walk(root.Children, func(n ast.Node) bool {
			if l, ok := n.(*ast.Link); ok && strings.HasPrefix(l.URL, "javascript:") {
				t.Fatalf("%q gives %q", body, out)
			}
			return true
		})
	})
}

func BenchmarkTwin(b *testing.B) {
	body, err := os.ReadFile("testdata/all.mdx")
	if err != nil {
		b.Fatal(err)
	}
	s := expander(fstest.MapFS{})
	defer s.Close()
	p, _ := s.Page(context.Background(), &ast.File{Name: "x.mdx", Body: body, Line: 1})
	b.ReportAllocs()
	for b.Loop() {
		Fragment(p.Nodes, nil)
	}
}
