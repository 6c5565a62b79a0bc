package expand

import (
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// compiler compiles the code of modules. It is safe for concurrent use.
type compiler struct {
	builder *jsbuild.Builder
	modules *modules
}

// code is the part of a module that only the engine can evaluate, as numbered pieces of source (thunks) with access
// to the module's imports and exports.
type code struct {
	src     jsbuild.Source
	sources map[any]int              // thunks of expressions and attributes, by *ast.Expr or *ast.Attr
	tags    map[*ast.Element]tagCode // tags that are components or have event handlers
	shared  map[string]int           // thunks of components that snippets on the page may use, by name

	unit     jsbuild.Unit
	findings diag.List // findings about the code
	tried    []string  // candidate files of imports, whether they exist or not
}

// tagCode is a tag compiled to code: a thunk, and the content of the page for its slots.
type tagCode struct {
	thunk int
	slots [][]ast.Node
}

// compile returns the module's code. It is compiled once per module, when a page first needs it.
func (c *compiler) compile(m *module) *code {
	m.compileOnce.Do(func() {
		out := &collector{modules: c.modules, module: m, code: &code{
			src: jsbuild.Source{
				File:  m.file.Name,
				ESM:   m.statements(),
				Names: slices.DeleteFunc(slices.Clone(m.names.local), c.modules.draws),
			},
			sources: map[any]int{},
			tags:    map[*ast.Element]tagCode{},
			shared:  map[string]int{},
		}}
		out.addNodes(m.root.Children)
		out.addShared()
		m.code = out.code
		m.code.unit, m.code.tried, m.code.findings = c.builder.Unit(m.code.src)
	})
	return m.code
}

// collector collects the thunks of one module.
type collector struct {
	modules *modules
	module  *module
	code    *code
}

// addThunk adds a piece of source at an offset of the module and returns its number.
func (c *collector) addThunk(source string, at int) int {
	c.code.src.Thunks = append(c.code.src.Thunks, jsbuild.Piece{Text: source, At: c.module.file.Pos(at)})
	return len(c.code.src.Thunks) - 1
}

// addNodes adds the parts of the content that may need the engine.
func (c *collector) addNodes(nodes []ast.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Expr:
			if isRunnable(n.Source) {
				c.code.sources[n] = c.addThunk(n.Source, n.Start+1)
			}
		case *ast.Element:
			if c.modules.isScriptTag(c.module, n.Name) || hasHandler(n) {
				c.addComponent(n)
			} else {
				c.addAttributes(n)
				c.addNodes(n.Children)
			}
		case ast.Parent:
			c.addNodes(*n.List())
		}
	}
}

// addComponent adds a tag and its content, including the content of its slots.
func (c *collector) addComponent(e *ast.Element) {
	source, slots := writeJSX(e)
	c.code.tags[e] = tagCode{thunk: c.addThunk(source, e.Start), slots: slots}
	for _, slot := range slots {
		c.addNodes(slot)
	}
}

func (c *collector) addAttributes(e *ast.Element) {
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if (a.Kind == ast.AttrExpr || a.Kind == ast.AttrSpread) && isRunnable(a.Value) {
			c.code.sources[a] = c.addThunk(a.Value, a.ValueSpan.Start)
		}
	}
}

// addShared adds every component that is code, if the module includes snippets, which could use them.
func (c *collector) addShared() {
	includes := false
	for _, d := range c.module.names.defined {
		includes = includes || d.kind == snippet
	}
	for _, name := range c.module.names.local {
		_, had := c.code.shared[name]
		if had || !includes || !c.modules.isScriptTag(c.module, name) || c.modules.draws(name) {
			continue
		}
		source := "<" + name + " {...props}>{slot(0)}</" + name + ">"
		c.code.shared[name] = c.addThunk(source, c.module.esm[0].Start)
	}
}

// hasHandler reports whether a tag has an event handler and therefore needs code in the browser.
func hasHandler(e *ast.Element) bool {
	return slices.ContainsFunc(e.Attrs, func(a ast.Attr) bool {
		event, ok := strings.CutPrefix(a.Name, "on")
		return ok && a.Kind == ast.AttrExpr && event != "" && event[0] >= 'A' && event[0] <= 'Z'
	})
}

// isRunnable reports whether source may be JavaScript that has an effect or a value.
func isRunnable(source string) bool {
	if _, ok := expr.Literal(source); ok {
		return false
	}
	x, err := expr.Parse(source)
	var syntax *expr.SyntaxError
	return !errors.As(err, &syntax) && (err != nil || !x.Empty())
}
