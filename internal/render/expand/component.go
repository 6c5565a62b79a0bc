package expand

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// component replaces a tag with the output of author code. owner is the scope whose module contains the code: the scope
// of the tag or an enclosing scope.
func (x *expander) component(s, owner *scope, e *ast.Element) []ast.Node {
	code, ok := x.scripts.compile(s, e.Span, owner.module)
	if !ok {
		return nil
	}
	for _, a := range e.Attrs {
		if a.Kind == ast.AttrExpr || a.Kind == ast.AttrSpread {
			x.warnPersonal(s, a.Span, a.Value)
		}
	}
	makeCall := x.ownCall
	if owner != s {
		makeCall = x.inheritedCall
	}
	c, ok := makeCall(s, e, code)
	if !ok {
		return x.nodes(s, e.Children)
	}
	res, ok := x.scripts.run(s, e.Span, c)
	if !ok {
		return nil
	}
	return x.place(s, e.Span, c, x.show(s, e.Span, res.Value), res.Client)
}

// ownCall returns the call for a tag in the module that contains the code. ok is false if the tag does not come from
// the module's source.
func (x *expander) ownCall(s *scope, e *ast.Element, code *code) (c call, ok bool) {
	tag, ok := code.tags[e]
	return call{code: code, thunk: tag.thunk, props: s.props, slots: tag.slots}, ok
}

// inheritedCall returns the call for a tag in a snippet whose component is defined by the page or an enclosing snippet.
// ok is false for a part of a component, such as <Menu.Item>.
func (x *expander) inheritedCall(s *scope, e *ast.Element, code *code) (c call, ok bool) {
	thunk, ok := code.shared[e.Name]
	if !ok {
		return c, false
	}
	c = call{code: code, thunk: thunk, props: object(x.props(s, e))}
	if len(e.Children) > 0 {
		c.slots = [][]ast.Node{e.Children}
	}
	return c, true
}
