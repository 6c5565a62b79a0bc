package expand

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// Snippets inherit names: authors import on a page what its snippets use, because a snippet need not import it itself. Inside a
// snippet its own names win, then the platform's components, then names of the files that include it, the nearest first.

// find returns what a tag's name refers to, and the frame that defines it.
func (r *run) find(f *frame, name string) (d definition, owner *frame, ok bool) {
	for owner = f; owner != nil; owner = owner.up {
		if d, ok = owner.m.tag(name); ok {
			return d, owner, owner == f || !r.site.platform(name)
		}
	}
	return d, nil, false
}

// platform reports whether the platform draws a component.
func (s *Site) platform(name string) bool { return s.opt.Platform != nil && s.opt.Platform(name) }

// shareComponents adds a thunk for every component that is code, when the module includes snippets that could use it.
func (c *code) shareComponents(s *Site, m *module) {
	includes := false
	for _, d := range m.names {
		includes = includes || d.kind == snippet
	}
	for _, name := range m.bound {
		_, had := c.shared[name]
		if had || !includes || !m.scriptTag(s, name) || s.platform(name) {
			continue
		}
		c.shared[name] = c.add(m, "<"+name+" {...props}>{slot(0)}</"+name+">", m.esm[0].Start)
	}
}

// inheritedComponent expands a tag in a snippet that is a component of the page, or of the enclosing snippet.
func (r *run) inheritedComponent(f, owner *frame, e *ast.Element) []ast.Node {
	if r.off(f, e.Span) {
		return nil
	}
	c := r.compiled(owner.m)
	thunk, ok := c.shared[e.Name]
	if !ok { // a part of a component, such as <Menu.Item>
		return r.nodes(f, e.Children)
	}
	props := object(r.props(f, e))
	var slots [][]ast.Node
	if len(e.Children) > 0 {
		slots = [][]ast.Node{e.Children}
	}
	res, ok := r.call(f, c, thunk, props, slots, e.Span)
	if !ok {
		return nil
	}
	return r.place(f, use{owner.m, thunk, props}, r.content(f, res.Value, e.Span), slots, res.Client, e.Span)
}
