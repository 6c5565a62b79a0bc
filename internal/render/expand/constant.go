package expand

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// exported notes one export: data is evaluated here and now, everything else is code.
func (m *module) exported(st *esm.Export) {
	d := definition{kind: script}
	switch st.Kind {
	case esm.Default:
		return // a page's layout: the platform brings its own
	case esm.List:
		known, ok := m.names[st.Local]
		if !ok {
			return
		}
		d = known
	case esm.Reexport:
		if file, content := target(m.file.Name, st.From); content {
			d = definition{kind: reexport, file: file, export: st.Local}
		}
	default:
		if v, ok := m.data(st.Init); ok && st.Init != "" {
			d = definition{kind: constant, value: v}
		}
		m.bound = append(m.bound, st.Name)
	}
	m.names[st.Name] = d
}

// data evaluates an initialiser that needs nothing but other constants of the module.
func (m *module) data(source string) (ast.Value, bool) {
	if v, ok := expr.Literal(source); ok {
		return v, true
	}
	x, err := expr.Parse(source)
	if err != nil || len(x.Tags()) > 0 {
		return nil, false
	}
	for _, n := range x.Names() {
		if d, ok := m.names[n]; !ok || d.kind != constant {
			return nil, false
		}
	}
	v, err := x.Eval(constants{m})
	return v, err == nil
}

// constants is the scope of initialisers.
type constants struct{ m *module }

// Lookup implements expr.Scope.
func (c constants) Lookup(name string) (ast.Value, bool) {
	d, ok := c.m.names[name]
	return d.value, ok && d.kind == constant
}

// maxVariable bounds the name of a variable, in bytes, so that looking for its end is cheap.
const maxVariable = 200

// substitute replaces {{name}} by the site's variables. Names that the site does not define are left for the parser.
func substitute(body []byte, vars map[string]string) []byte {
	if len(vars) == 0 || !bytes.Contains(body, []byte("{{")) {
		return body
	}
	var out []byte
	rest := body
	for {
		i := bytes.Index(rest, []byte("{{"))
		if i < 0 {
			return append(out, rest...)
		}
		near := rest[i+2 : min(len(rest), i+2+maxVariable)]
		if name, _, ok := bytes.Cut(near, []byte("}}")); ok {
			if v, known := vars[string(bytes.TrimSpace(name))]; known {
				out = append(append(out, rest[:i]...), v...)
				rest = rest[i+2+len(name)+2:]
				continue
			}
		}
		out = append(out, rest[:i+2]...)
		rest = rest[i+2:]
	}
}
