package expand

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// readerName is the name by which pages refer to the reader. The reader's fields are known only in the browser. Here
// the reader is an empty object, and expressions that show its fields become ast.Personal.
const readerName = "user"

// readerMention matches uses of the reader's fields in source that package expr may not support.
var readerMention = lazyregexp.New(`(?:^|[^.\w$])` + readerName + `\s*(?:\?\.|\.|\[)`)

// namesReader reports whether "user" refers to the reader in a scope. It does not if the author defines the name.
func namesReader(s *scope) bool {
	if _, own := s.module.names.defined[readerName]; own {
		return false
	}
	_, given := s.prop(readerName)
	return !given
}

// personal expands an expression that shows fields of the reader. ok is false for any other expression.
func (x *expander) personal(s *scope, e *ast.Expr) (nodes []ast.Node, ok bool) {
	if !readerMention.MatchString(e.Source) || !namesReader(s) {
		return nil, false
	}
	parsed, err := expr.ParseAt(e.Source, e.Start+1)
	if err != nil || !parsed.Reads(readerName) || x.dependencies.modules.usesScript(s.module, parsed) {
		return nil, false
	}
	l, ok := parsed.Later(readerName, &lookup{scope: s, resolve: x.dependencies.resolve})
	if !ok {
		return nil, false
	}
	return x.later(s, e.Span, l), true
}

// later returns the content of an expression that the browser evaluates again.
func (x *expander) later(s *scope, at ast.Span, l *expr.Later) []ast.Node {
	switch {
	case l.Then != nil:
		then, other := x.later(s, at, l.Then), x.later(s, at, l.Else)
		holds := ast.Truthy(l.Value)
		if !holds {
			then, other = other, then
		}
		return []ast.Node{&ast.Personal{Span: at, Code: l.Code, Choice: true, Holds: holds, Children: then, Other: other}}
	case l.Code != "":
		return []ast.Node{&ast.Personal{Span: at, Code: l.Code, Children: x.show(s, at, l.Value)}}
	}
	return x.nodes(s, l.Nodes)
}

// warnPersonal adds a finding for source that uses fields of the reader where this is not supported.
func (x *expander) warnPersonal(s *scope, at ast.Span, source string) {
	if !readerMention.MatchString(source) || !namesReader(s) {
		return
	}
	if parsed, err := expr.Parse(source); err == nil && !slices.Contains(parsed.Names(), readerName) ||
		!isRunnable(source) {
		return // a property or a string with that name
	}
	x.findings.warn(s, at, "personal-value", "Show fields of user as text, as in {user.name ?? 'you'}, or choose between "+
		"texts and elements with ===, !, &&, ||, ?? and ? : on them.",
		"Fields of user cannot be filled in here: all readers see what readers without values see.")
}
