package markdown

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// Text in props that readers see is also in the component's Markdown.
func TestMarkdownIncludesTextFromProps(t *testing.T) {
	site := expander(fstest.MapFS{})
	for _, c := range component.List() {
		for _, p := range c.Props {
			if p.Kind != component.Rich || p.Ignored || p.Name == "cta" { // cta: another label for the link
				continue
			}
			src := "<" + c.Name + " " + p.Name + "=\"heron\">\n\ntext\n\n</" + c.Name + ">\n"
			page, list := site.Page(context.Background(), &ast.File{Name: "a.mdx", Body: []byte(src), Line: 1})
			if got := string(Fragment(page.Nodes, nil)); !strings.Contains(got, "heron") {
				t.Errorf("%s of %s is missing: %q, findings %v", p.Name, c.Name, got, list)
			}
		}
	}
}
