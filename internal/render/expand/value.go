package expand

import (
	"errors"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// expression expands {source} in content.
func (r *run) expression(f *frame, e *ast.Expr) []ast.Node {
	v, ok := r.eval(f, e.Source, e.Span, func(c *code) (int, bool) { i, ok := c.exprs[e]; return i, ok })
	if !ok { // no JavaScript: text in braces
		return []ast.Node{&ast.Text{Span: e.Span, Value: "{" + e.Source + "}"}}
	}
	return r.content(f, v, e.Span)
}

// eval evaluates author source: here when it is data, in the engine when it is more; thunk finds the piece of the module's code that
// was compiled for it. ok is false when the source is not JavaScript; that is already reported.
func (r *run) eval(f *frame, source string, at ast.Span, thunk func(*code) (int, bool)) (v ast.Value, ok bool) {
	if v, ok := expr.Literal(source); ok {
		return r.value(f, v, at), true
	}
	x, err := expr.ParseAt(source, at.Start+1)
	var syntax *expr.SyntaxError
	switch {
	case errors.As(err, &syntax):
		r.warn(f, ast.Span{Start: at.Start + 1 + syntax.Offset}, "mdx-lenient-braces", `Write \{ for a brace that is text.`, "What stands in braces is not JavaScript (%s), so it is shown as text.", syntax.Message)
		return nil, false
	case err != nil, f.m.needsEngine(r.site, x):
		return r.engine(f, at, thunk), true
	case x.Empty():
		return ast.Undefined{}, true
	}
	v, err = x.Eval(&scope{frame: f, run: r})
	var name *expr.NameError
	switch {
	case errors.As(err, &name):
		r.warn(f, ast.Span{Start: at.Start + 1 + name.Offset}, "undefined-name", `Write \{ for a brace that is text, or define it with export const.`, "Nothing is called %q here, so nothing is shown.", name.Name)
		return ast.Undefined{}, true
	case errors.Is(err, expr.ErrBeyond):
		return r.engine(f, at, thunk), true
	case err != nil:
		if broken := new(expr.EvalError); errors.As(err, &broken) {
			at.Start += 1 + broken.Offset
		}
		r.warn(f, at, "expression-failed", "", "The expression fails: %v.", err)
		return ast.Undefined{}, true
	}
	return r.jsx(f, r.value(f, v, at)), true
}

// jsx expands the elements in a value that came from source.
func (r *run) jsx(f *frame, v ast.Value) ast.Value {
	switch v := v.(type) {
	case ast.Nodes:
		return ast.Nodes(r.nodes(f, v))
	case []ast.Value:
		out := make([]ast.Value, len(v))
		for i, e := range v {
			out[i] = r.jsx(f, e)
		}
		return out
	}
	return v
}

// needsEngine reports whether an expression that could be read here uses something that only the engine knows.
func (m *module) needsEngine(s *Site, x *expr.Expr) bool {
	if len(m.names) == 0 {
		return false
	}
	for _, n := range x.Names() {
		if m.isScript(s, n) {
			return true
		}
	}
	return slices.ContainsFunc(x.Tags(), func(tag string) bool { return m.scriptTag(s, tag) })
}

// scope adds to a frame what other files export.
type scope struct {
	*frame
	run *run
}

// Lookup implements expr.Scope.
func (s *scope) Lookup(name string) (ast.Value, bool) {
	d, ok := s.m.names[name]
	if !ok {
		return s.frame.Lookup(name)
	}
	switch d = s.run.resolve(d); d.kind {
	case constant:
		return d.value, true
	case missing:
		return ast.Undefined{}, true
	}
	return ast.Opaque{Type: "component"}, true // a snippet used as a value
}
