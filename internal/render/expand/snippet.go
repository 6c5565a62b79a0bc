package expand

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// include replaces a tag with the content of a snippet.
func (x *expander) include(s *scope, e *ast.Element, file string, props []ast.Prop) []ast.Node {
	if s.includes(file) {
		x.findings.fail(s, e.Span, "snippet-cycle", "Remove the import from one of the two files.",
			"%q includes itself.", "/"+file)
		return nil
	}
	m := x.dependencies.open(file)
	if !x.canInclude(s, e, file, m) {
		return nil
	}
	inner := &scope{module: m, props: object(props), up: s, depth: s.depth + 1}
	if _, ok := inner.props.Values["children"]; !ok && len(e.Children) > 0 {
		children := &ast.Included{Span: e.Span, File: s.module.file, Children: x.nodes(s, e.Children)}
		inner.props.Set("children", ast.Nodes{children})
	}
	return []ast.Node{&ast.Included{Span: e.Span, File: m.file, Children: x.nodes(inner, m.root.Children)}}
}

// canInclude reports whether a snippet can be read and is within the limits. It adds a finding if not.
func (x *expander) canInclude(s *scope, e *ast.Element, file string, m *module) bool {
	switch {
	case m.file == nil:
		x.findings.warn(s, e.Span, "missing-import", "", "The snippet %q cannot be read.", "/"+file)
		return false
	case s.depth >= maxDepth:
		x.findings.fail(s, e.Span, "snippet-depth", "", "Snippets are nested deeper than %d levels.", maxDepth)
		return false
	}
	return x.budget.takeBytes(s, e.Span, len(m.file.Body))
}

// includeNamed expands <Snippet file="x.mdx" />.
func (x *expander) includeNamed(s *scope, e *ast.Element) []ast.Node {
	props := x.props(s, e)
	file, _ := object(props).Get("file").(string)
	file = strings.TrimPrefix(path.Clean("/"+file), "/")
	for _, dir := range []string{"snippets", "_snippets", ""} {
		name := path.Join(dir, file)
		if x.dependencies.exists(name) && file != "" {
			return x.include(s, e, name, props)
		}
	}
	x.findings.warn(s, e.Span, "missing-import", "Snippets must be in the folder snippets.",
		"Snippet not found: %q.", file)
	return nil
}
