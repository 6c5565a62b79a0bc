package markdown

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
)

// expander expands pages of a folder the way a build does.
func expander(src fs.FS) *expand.Site {
	platform := func(name string) bool { _, ok := component.Find(name); return ok }
	return expand.New(expand.Options{Src: src, Platform: platform, Now: time.Unix(0, 0), Workers: 1})
}

// again parses Markdown and writes it again.
func again(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	root, list := mdx.ParseWith(mdx.Options{}, name, text, 1)
	if list.HasErrors() {
		t.Fatalf("%s: %v\n%s", name, list, text)
	}
	ast.Walk(root.Children, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Expr, *ast.ESM:
			t.Errorf("%s: code in the Markdown form: %T at %d: %.60q", name, n, n.Place().Start, text[n.Place().Start:])
		case *ast.Element:
			if n.Name != "br" && n.Name != "sub" && n.Name != "sup" {
				t.Errorf("%s: a tag in the Markdown form: <%s>", name, n.Name)
			}
		}
		return true
	})
	return Fragment(lift(root.Children), nil)
}

// lift removes the page's title, because Fragment would lower it to the second level.
func lift(nodes []ast.Node) []ast.Node {
	if len(nodes) > 0 {
		if h, ok := nodes[0].(*ast.Heading); ok && h.Level == 1 {
			return nodes[1:]
		}
	}
	return nodes
}

// TestMarkdownOfWholeSiteRoundTrips parses the Markdown form of every page of our docs and writes it again. It must
// contain no error, tag or expression, and the text must be the same.
func TestMarkdownOfWholeSiteRoundTrips(t *testing.T) {
	pagesOf(t, docs.Site, func(file string, p *expand.Page) {
		first := Fragment(p.Nodes, nil)
		second := again(t, file, first)
		if d := firstDifference(string(first), string(second)); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	})
}

func pagesOf(t *testing.T, src fs.FS, f func(string, *expand.Page)) {
	t.Helper()
	s := expander(src)
	defer s.Close()
	pages := 0
	err := fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".mdx") && !strings.HasSuffix(name, ".md") ||
			strings.Contains(name, "snippets/") {
			return err
		}
		raw, err := fs.ReadFile(src, name)
		if err != nil {
			return err
		}
		cut, _ := frontmatter.Cut(name, raw)
		p, list := s.Page(context.Background(), &ast.File{Name: name, Body: cut.Body, Line: cut.BodyLine})
		if list.HasErrors() {
			return nil // the page itself is not shown
		}
		pages++
		f(name, p)
		return nil
	})
	if err != nil || pages < 20 {
		t.Fatalf("%d pages: %v", pages, err)
	}
}

// firstDifference returns the first different line. It ignores empty lines, because a list may become loose if one of
// its items is loose.
func firstDifference(a, b string) string {
	filled := func(s string) []string {
		return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.Trim(l, "> ") == "" })
	}
	x, y := filled(a), filled(b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "line " + x[i] + "\nbecame " + y[i]
		}
	}
	if len(x) != len(y) {
		return "one is longer"
	}
	return ""
}
