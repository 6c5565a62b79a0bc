package expand

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// code is the part of a module that only the engine can evaluate, as numbered pieces of source (thunks) that see the module's imports
// and exports. It is made once for a module, the first time a page needs it.
type code struct {
	src      jsbuild.Source
	exprs    map[*ast.Expr]int
	attrs    map[*ast.Attr]int
	elements map[*ast.Element]piece
	shared   map[string]int // components that snippets of the page may use, see inherit.go

	unit  jsbuild.Unit
	list  diag.List // what is wrong with the code
	asked []string  // files that its imports were looked for in
}

// piece is a thunk that shows content of the page in its slots.
type piece struct {
	thunk int
	slots [][]ast.Node
}

// compiled is the module's code.
func (m *module) compiled(s *Site) *code {
	m.once.Do(func() {
		c := &code{exprs: map[*ast.Expr]int{}, attrs: map[*ast.Attr]int{}, elements: map[*ast.Element]piece{}, shared: map[string]int{}}
		c.src = jsbuild.Source{File: m.file.Name, ESM: m.statementPieces(), Names: slices.DeleteFunc(slices.Clone(m.bound), s.platform)}
		c.collect(s, m, m.root.Children)
		c.shareComponents(s, m)
		c.unit, c.asked, c.list = s.build.Unit(c.src)
		m.code = c
	})
	return m.code
}

// statementPieces are the module's imports and exports with their places.
func (m *module) statementPieces() (out []jsbuild.Piece) {
	for _, e := range m.esm {
		out = append(out, jsbuild.Piece{Text: e.Source, At: m.file.Pos(e.Start)})
	}
	return out
}

func (c *code) add(m *module, source string, at int) int {
	c.src.Thunks = append(c.src.Thunks, jsbuild.Piece{Text: source, At: m.file.Pos(at)})
	return len(c.src.Thunks) - 1
}

// collect finds what needs the engine in content.
func (c *code) collect(s *Site, m *module, nodes []ast.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Expr:
			if runnable(n.Source) {
				c.exprs[n] = c.add(m, n.Source, n.Start+1)
			}
		case *ast.Element:
			c.element(s, m, n)
		case ast.Parent:
			c.collect(s, m, *n.List())
		}
	}
}

func (c *code) element(s *Site, m *module, e *ast.Element) {
	if m.scriptTag(s, e.Name) || handler(e) {
		p := piece{}
		var b strings.Builder
		write(&b, e, &p.slots)
		p.thunk = c.add(m, b.String(), e.Start)
		c.elements[e] = p
		for _, slot := range p.slots {
			c.collect(s, m, slot)
		}
		return
	}
	for i := range e.Attrs {
		if a := &e.Attrs[i]; (a.Kind == ast.AttrExpr || a.Kind == ast.AttrSpread) && runnable(a.Value) {
			c.attrs[a] = c.add(m, a.Value, a.ValueSpan.Start)
		}
	}
	c.collect(s, m, e.Children)
}

// runnable reports whether source may be JavaScript that does something.
func runnable(source string) bool {
	if _, ok := expr.Literal(source); ok {
		return false
	}
	x, err := expr.Parse(source)
	var syntax *expr.SyntaxError
	return !errors.As(err, &syntax) && (err != nil || !x.Empty())
}

// write puts a tag back into JSX source. Markdown inside becomes slots: the engine sees where content goes, never what it is. Tags and
// expressions inside are written out, so that a component can look at its children.
func write(b *strings.Builder, e *ast.Element, slots *[][]ast.Node) {
	b.WriteString("<" + e.Name)
	for _, a := range e.Attrs {
		switch a.Kind {
		case ast.AttrTrue:
			b.WriteString(" " + a.Name)
		case ast.AttrString:
			b.WriteString(" " + a.Name + "={" + quote(a.Value) + "}")
		case ast.AttrExpr:
			b.WriteString(" " + a.Name + "={" + a.Value + "\n}") // a comment at the end must not take the brace
		case ast.AttrSpread:
			b.WriteString(" {..." + a.Value + "\n}")
		}
	}
	b.WriteString(">")
	children(b, e.Children, slots)
	b.WriteString("</" + e.Name + ">")
}

func children(b *strings.Builder, nodes []ast.Node, slots *[][]ast.Node) {
	for i := 0; i < len(nodes); i++ {
		switch n := nodes[i].(type) {
		case *ast.Element:
			write(b, n, slots)
		case *ast.Text:
			b.WriteString("{" + quote(n.Value) + "}")
		case *ast.Expr:
			if runnable(n.Source) {
				b.WriteString("{" + n.Source + "\n}")
			} else if v, ok := expr.Literal(n.Source); ok {
				b.WriteString("{" + quote(ast.String(v)) + "}")
			}
		default:
			start := i
			for i+1 < len(nodes) && markdown(nodes[i+1]) {
				i++
			}
			*slots = append(*slots, nodes[start:i+1])
			b.WriteString("{slot(" + ast.Number(float64(len(*slots)-1)) + ")}")
		}
	}
}

func markdown(n ast.Node) bool {
	switch n.(type) {
	case *ast.Element, *ast.Text, *ast.Expr:
		return false
	}
	return true
}

// quote is a string literal that JavaScript and JSX read alike.
func quote(s string) string {
	q, _ := json.Marshal(s) // a string always can be
	return string(q)
}
