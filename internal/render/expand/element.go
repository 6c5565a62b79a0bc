package expand

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// role is the way in which a tag is replaced.
type role int

const (
	roleTag       role = iota // the tag itself, with props: a tag that the platform or HTML defines
	roleChildren              // its children: a fragment, or a component that was not found
	roleData                  // its children, with a finding, because the name is data
	roleSnippet               // the content of the file that it was imported from
	roleNamedFile             // the content of the file in its attribute: <Snippet file="x.mdx" />
	roleComponent             // the output of author code
)

// meaning is the role of a tag in a scope.
type meaning struct {
	role  role
	file  string // roleSnippet: the .mdx file
	owner *scope // roleComponent: the scope whose module contains the code
}

// kindRoles maps kinds of definitions to roles. Re-exported names must be resolved before.
var kindRoles = map[kind]role{
	script:   roleComponent,
	constant: roleData,
	snippet:  roleSnippet,
	missing:  roleChildren, // already reported
}

// element expands a tag.
func (x *expander) element(s *scope, e *ast.Element) []ast.Node {
	switch tag := x.meaning(s, e); tag.role {
	case roleSnippet:
		return x.include(s, e, tag.file, x.props(s, e))
	case roleNamedFile:
		return x.includeNamed(s, e)
	case roleComponent:
		return x.component(s, tag.owner, e)
	case roleData:
		x.findings.warn(s, e.Span, "not-a-component", "Write {"+e.Name+"} to show its value.",
			"%q is data, not a component.", e.Name)
		return x.nodes(s, e.Children)
	case roleChildren:
		return x.nodes(s, e.Children)
	}
	out := *e
	out.Props = x.props(s, e)
	out.Attrs = nil
	out.Children = x.nodes(s, e.Children)
	return []ast.Node{&out}
}

// meaning returns the meaning of a tag. Names defined by the author take precedence over names of the platform and of
// HTML.
func (x *expander) meaning(s *scope, e *ast.Element) meaning {
	if d, owner, ok := x.findTag(s, e.Name); ok {
		d = x.dependencies.resolve(d)
		return meaning{role: kindRoles[d.kind], file: d.file, owner: owner}
	}
	switch {
	case e.Name == "":
		return meaning{role: roleChildren}
	case e.Name == "Snippet":
		return meaning{role: roleNamedFile}
	case hasHandler(e):
		return meaning{role: roleComponent, owner: s}
	}
	return meaning{role: roleTag}
}

// findTag returns the definition of a tag's name, and the scope of the module that contains it. Snippets inherit names,
// because authors import on the page what its snippets use. The order of precedence is: the snippet's own names, the
// platform's components, then the names of the files that include the snippet, the nearest file first.
func (x *expander) findTag(s *scope, name string) (d definition, owner *scope, ok bool) {
	for owner = s; owner != nil; owner = owner.up {
		if d, ok = owner.module.names.tag(name); ok {
			return d, owner, owner == s || !x.dependencies.modules.draws(name)
		}
	}
	return d, nil, false
}

// props evaluates a tag's attributes. Elements from the engine already have props.
func (x *expander) props(s *scope, e *ast.Element) []ast.Prop {
	if e.Props != nil || len(e.Attrs) == 0 {
		return e.Props
	}
	out := make([]ast.Prop, 0, len(e.Attrs))
	for i := range e.Attrs {
		a := &e.Attrs[i]
		v := x.attribute(s, a)
		if a.Kind == ast.AttrSpread {
			out = append(out, spread(v, a.Span)...)
		} else {
			out = append(out, ast.Prop{Name: a.Name, Value: v, Attr: a.Span})
		}
	}
	return out
}

// attribute returns an attribute's value. If it is an expression that is not JavaScript, the value is its source.
func (x *expander) attribute(s *scope, a *ast.Attr) ast.Value {
	switch a.Kind {
	case ast.AttrTrue:
		return true
	case ast.AttrString:
		return a.Value
	}
	at := ast.Span{Start: a.ValueSpan.Start - 1, End: a.ValueSpan.End}
	if v, ok := x.value(s, source{text: a.Value, at: at, node: a}); ok {
		return v
	}
	return a.Value
}

// spread returns the properties of an object as props.
func spread(v ast.Value, at ast.Span) (out []ast.Prop) {
	if o, ok := v.(*ast.Object); ok {
		for _, k := range o.Keys {
			out = append(out, ast.Prop{Name: k, Value: o.Values[k], Attr: at})
		}
	}
	return out
}

// object returns props as one value.
func object(props []ast.Prop) *ast.Object {
	o := &ast.Object{}
	for _, p := range props {
		o.Set(p.Name, p.Value)
	}
	return o
}
