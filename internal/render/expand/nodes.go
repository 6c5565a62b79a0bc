package expand

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// nodes expands content. The input is shared with other pages and stays as it is; unchanged nodes are used again.
func (r *run) nodes(f *frame, in []ast.Node) []ast.Node {
	out, changed := in, false
	for i, n := range in {
		got, same := r.node(f, n)
		if same {
			if changed {
				out = append(out, n)
			}
			continue
		}
		if !changed {
			out, changed = append(make([]ast.Node, 0, len(in)+len(got)), in[:i]...), true
		}
		out = append(out, got...)
	}
	return out
}

// node expands one node: same means it stays as it is, else it is replaced by what is returned.
func (r *run) node(f *frame, n ast.Node) (instead []ast.Node, same bool) {
	if !r.spend(f, n) {
		return nil, false
	}
	switch n := n.(type) {
	case *ast.ESM:
		return nil, false
	case *ast.Expr:
		return r.expression(f, n), false
	case *ast.Element:
		return r.element(f, n), false
	case ast.Parent:
		before := *n.List()
		after := r.nodes(f, before)
		if len(before) == len(after) && (len(before) == 0 || &before[0] == &after[0]) {
			return nil, true
		}
		return []ast.Node{ast.WithChildren(n, after)}, false
	}
	return nil, true
}

// spend counts a node; false when the page has too many.
func (r *run) spend(f *frame, n ast.Node) bool {
	if r.budget--; r.budget > 0 && r.ctx.Err() == nil {
		return true
	}
	r.full(f, n.Place())
	return false
}

// grow counts bytes that are put into the page; false when they are too many.
func (r *run) grow(f *frame, at ast.Span, bytes int) bool {
	if r.bytes -= bytes; r.bytes > 0 {
		return true
	}
	r.full(f, at)
	return false
}

// value counts what a value takes when it is shown; one that is too large is not.
func (r *run) value(f *frame, v ast.Value, at ast.Span) ast.Value {
	if !r.grow(f, at, ast.Weight(v, maxBytes)) {
		return ast.Undefined{}
	}
	return v
}

// full reports once that the page is too large.
func (r *run) full(f *frame, at ast.Span) {
	if r.spent {
		return
	}
	r.spent = true
	if r.ctx.Err() != nil {
		r.fail(f, at, "page-too-slow", "", "The page was not finished in time.")
	} else {
		r.fail(f, at, "page-too-large", "Values and snippets that hold each other many times add up.", "The page grows beyond %d pieces of content or %d MB.", maxNodes, maxBytes>>20)
	}
}

// content is a value put into the text.
func (r *run) content(f *frame, v ast.Value, at ast.Span) []ast.Node {
	switch v := v.(type) {
	case nil, ast.Undefined, bool:
		return nil
	case string:
		return []ast.Node{&ast.Text{Span: at, Value: v}}
	case float64:
		return []ast.Node{&ast.Text{Span: at, Value: ast.Number(v)}}
	case ast.Nodes:
		return v
	case []ast.Value:
		var out []ast.Node
		for _, e := range v {
			if !r.spend(f, ast.Node(at)) {
				break
			}
			out = append(out, r.content(f, e, at)...)
		}
		return out
	case ast.Opaque:
		r.warn(f, at, "value-not-shown", "Call the function, or use it as a component.", "A %s cannot be shown as text.", v.Type)
	default:
		r.warn(f, at, "value-not-shown", "Show one of its fields, or JSON.stringify(it).", "An object cannot be shown as text.")
	}
	return nil
}
