package expand

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// element expands a tag: a snippet becomes its content, an author's component what it renders, a fragment its children; the others
// get their props.
func (r *run) element(f *frame, e *ast.Element) []ast.Node {
	if e.Name == "" {
		return r.nodes(f, e.Children)
	}
	if d, owner, ok := r.find(f, e.Name); ok {
		switch d = r.resolve(d); d.kind {
		case missing:
			return r.nodes(f, e.Children) // already reported; keep the children
		case snippet:
			return r.include(f, e, d.file, r.props(f, e))
		case script:
			if owner != f {
				return r.inheritedComponent(f, owner, e)
			}
			return r.scripted(f, e)
		case constant:
			r.warn(f, e.Span, "not-a-component", "Write {"+e.Name+"} to show its value.", "%q is data, not a component.", e.Name)
			return r.nodes(f, e.Children)
		}
	}
	switch {
	case e.Name == "Snippet":
		return r.legacy(f, e)
	case handler(e):
		return r.scripted(f, e)
	}
	out := *e
	out.Props = r.props(f, e)
	out.Attrs = nil
	out.Children = r.nodes(f, e.Children)
	return []ast.Node{&out}
}

// handler reports whether a tag has an event handler: such a tag lives in the browser.
func handler(e *ast.Element) bool {
	for _, a := range e.Attrs {
		if a.Kind == ast.AttrExpr && len(a.Name) > 2 && strings.HasPrefix(a.Name, "on") && a.Name[2] >= 'A' && a.Name[2] <= 'Z' {
			return true
		}
	}
	return false
}

// props evaluates a tag's attributes. Elements that came out of the engine have theirs already.
func (r *run) props(f *frame, e *ast.Element) []ast.Prop {
	if e.Props != nil || len(e.Attrs) == 0 {
		return e.Props
	}
	out := make([]ast.Prop, 0, len(e.Attrs))
	for i := range e.Attrs {
		a := &e.Attrs[i]
		p := ast.Prop{Name: a.Name, Attr: a.Span}
		switch a.Kind {
		case ast.AttrTrue:
			p.Value = true
		case ast.AttrString:
			p.Value = a.Value
		default:
			v, ok := r.eval(f, a.Value, ast.Span{Start: a.ValueSpan.Start - 1, End: a.ValueSpan.End}, func(c *code) (int, bool) { i, ok := c.attrs[a]; return i, ok })
			if !ok {
				v = a.Value
			}
			if a.Kind == ast.AttrSpread {
				out = append(out, spread(v, a.Span)...)
				continue
			}
			p.Value = v
		}
		out = append(out, p)
	}
	return out
}

func spread(v ast.Value, at ast.Span) (out []ast.Prop) {
	if o, ok := v.(*ast.Object); ok {
		for _, k := range o.Keys {
			out = append(out, ast.Prop{Name: k, Value: o.Values[k], Attr: at})
		}
	}
	return out
}

// maxDepth bounds snippets inside snippets.
const maxDepth = 20

// include puts a snippet's content in a tag's place.
func (r *run) include(f *frame, e *ast.Element, file string, props []ast.Prop) []ast.Node {
	for up := f; up != nil; up = up.up {
		if up.m.file != nil && up.m.file.Name == file {
			r.fail(f, e.Span, "snippet-cycle", "Take the import out of one of the two files.", "%q includes itself.", "/"+file)
			return nil
		}
	}
	m := r.use(file)
	switch {
	case m.file == nil:
		r.warn(f, e.Span, "missing-import", "", "The snippet %q cannot be read.", "/"+file)
		return nil
	case f.depth >= maxDepth:
		r.fail(f, e.Span, "snippet-depth", "", "Snippets are nested deeper than %d.", maxDepth)
		return nil
	case !r.grow(f, e.Span, len(m.file.Body)):
		return nil
	}
	inner := &frame{m: m, props: object(props), up: f, depth: f.depth + 1}
	if _, ok := inner.props.Values["children"]; !ok && len(e.Children) > 0 {
		inner.props.Set("children", ast.Nodes{&ast.Included{Span: e.Span, File: f.m.file, Children: r.nodes(f, e.Children)}})
	}
	return []ast.Node{&ast.Included{Span: e.Span, File: m.file, Children: r.nodes(inner, m.root.Children)}}
}

func object(props []ast.Prop) *ast.Object {
	o := &ast.Object{}
	for _, p := range props {
		o.Set(p.Name, p.Value)
	}
	return o
}

// legacy is <Snippet file="x.mdx" />.
func (r *run) legacy(f *frame, e *ast.Element) []ast.Node {
	props := r.props(f, e)
	file, _ := object(props).Get("file").(string)
	file = strings.TrimPrefix(path.Clean("/"+file), "/")
	for _, dir := range []string{"snippets", "_snippets", ""} {
		name := path.Join(dir, file)
		r.addDependency(name)
		if file != "" && exists(r.site.opt.Src, name) {
			return r.include(f, e, name, props)
		}
	}
	r.warn(f, e.Span, "missing-import", "Snippets stand in the folder snippets.", "There is no snippet %q.", file)
	return nil
}

// use reads a snippet. Its findings are reported once per page.
func (r *run) use(file string) *module {
	m := r.site.snippet(file)
	if r.used == nil {
		r.used = map[string]bool{}
	}
	if !r.used[file] {
		r.used[file] = true
		r.list = append(r.list, m.list...)
	}
	return m
}
