package expand

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// engine evaluates a piece of a module's code for its value.
func (r *run) engine(f *frame, at ast.Span, find func(*code) (int, bool)) ast.Value {
	if r.off(f, at) {
		return ast.Undefined{}
	}
	c := r.compiled(f.m)
	i, ok := find(c)
	if !ok {
		r.warn(f, at, "expression-failed", "", "The expression cannot be evaluated.")
		return ast.Undefined{}
	}
	res, ok := r.call(f, c, i, f.props, nil, at)
	if !ok {
		return ast.Undefined{}
	}
	if nodes, isContent := res.Value.(ast.Nodes); isContent {
		return ast.Nodes(r.place(f, use{f.m, i, f.props}, nodes, nil, res.Client, at))
	}
	return res.Value
}

// scripted expands a tag that is an author's component, or has event handlers.
func (r *run) scripted(f *frame, e *ast.Element) []ast.Node {
	if r.off(f, e.Span) {
		return nil
	}
	c := r.compiled(f.m)
	p, ok := c.elements[e]
	if !ok {
		return r.nodes(f, e.Children)
	}
	res, ok := r.call(f, c, p.thunk, f.props, p.slots, e.Span)
	if !ok {
		return nil
	}
	return r.place(f, use{f.m, p.thunk, f.props}, r.content(f, res.Value, e.Span), p.slots, res.Client, e.Span)
}

// off reports whether author code is disabled, and adds a finding if so.
func (r *run) off(f *frame, at ast.Span) bool {
	if !r.site.opt.Scripts.Off {
		return false
	}
	r.warn(f, at, "script-off", "Use literals, variables, snippets and components of the platform, or ask the operator for the setting scripts.",
		"Code of authors is switched off, so nothing is shown here.")
	return true
}

// call runs one thunk. ok is false when it failed; the failure is already reported.
func (r *run) call(f *frame, c *code, thunk int, props *ast.Object, slots [][]ast.Node, at ast.Span) (res jsrun.Result, ok bool) {
	r.code(c.list)
	if c.unit.Code == nil {
		return res, false
	}
	if r.js == nil {
		r.js = r.site.engine.Open(r.ctx, r.page.File.Name)
	}
	r.page.Scripts++
	var variables ast.Value = &ast.Object{}
	if props != nil {
		variables = props
	}
	res, err := r.js.Call(jsrun.Unit(c.unit), thunk, variables, len(slots), at)
	for _, n := range res.Notes {
		r.warn(f, at, "undefined-name", "", "%s", n)
	}
	if err == nil {
		res.Value = r.value(f, res.Value, at)
		return res, true
	}
	var broken *jsrun.Error
	switch {
	case !errors.As(err, &broken):
		r.fail(f, at, "script-failed", "", "The code on this page cannot be run.")
	case broken.Limit:
		r.fail(f, at, "script-limit", broken.Hint, "The code on this page was stopped: %v.", err)
	default:
		r.warn(f, at, "script-failed", broken.Hint, "The code fails, so nothing is shown here: %v.", err)
	}
	return res, false
}

// code reports findings of a module's code, once per page.
func (r *run) code(list diag.List) {
	for _, d := range list {
		known := false
		for _, had := range r.list {
			known = known || had == d
		}
		if !known && len(r.list) < maxFindings {
			r.list = append(r.list, d)
		}
	}
}

// use is one use of a thunk: whose it is and the variables it got.
type use struct {
	m     *module
	thunk int
	props *ast.Object
}

// place puts the engine's output into the page: slots get their content, markers of snippets are included. A client component keeps
// its slots apart, for the browser.
func (r *run) place(f *frame, u use, nodes []ast.Node, slots [][]ast.Node, client bool, at ast.Span) []ast.Node {
	content := make([][]ast.Node, len(slots))
	for i, s := range slots {
		content[i] = r.nodes(f, s)
	}
	out := r.settle(f, nodes, content, client)
	if !client {
		return out
	}
	r.island(u.m, u.thunk)
	props, err := json.Marshal(plain(u.props))
	if err != nil {
		props = []byte("{}")
	}
	return []ast.Node{&ast.Island{Span: at, Children: out, Unit: u.m.file.Name, Thunk: u.thunk, Props: string(props), Slots: content}}
}

// settle walks the engine's output.
func (r *run) settle(f *frame, nodes []ast.Node, slots [][]ast.Node, client bool) (out []ast.Node) {
	for _, n := range nodes {
		if !r.spend(f, n) {
			break
		}
		switch n := n.(type) {
		case *ast.Slot:
			switch {
			case client:
				out = append(out, n)
			case n.Index < len(slots):
				out = append(out, slots[n.Index]...)
			}
		case *ast.Element:
			if ref, ok := strings.CutPrefix(n.Name, "mdx:"); ok {
				out = append(out, r.marker(f, n, ref, slots, client)...)
				continue
			}
			n.Children = r.settle(f, n.Children, slots, client)
			n.Props = slices.DeleteFunc(n.Props, func(p ast.Prop) bool { _, handler := p.Value.(ast.Opaque); return handler }) // the browser has them
			for i := range n.Props {
				if v, ok := n.Props[i].Value.(ast.Nodes); ok {
					n.Props[i].Value = ast.Nodes(r.settle(f, v, slots, client))
				}
			}
			out = append(out, n)
		default:
			out = append(out, n)
		}
	}
	return out
}

// marker includes a snippet that code imported: "/snippets/x.mdx#default".
func (r *run) marker(f *frame, e *ast.Element, file string, slots [][]ast.Node, client bool) []ast.Node {
	n := *e
	n.Children = r.settle(f, e.Children, slots, client)
	file, _, _ = strings.Cut(strings.TrimPrefix(file, "/"), "#")
	content := r.include(f, &n, file, n.Props)
	if client {
		return []ast.Node{&ast.Slot{Span: e.Span, Name: "/" + file, Nodes: content}}
	}
	return content
}

// island notes a client component.
func (r *run) island(m *module, thunk int) {
	if r.client == nil {
		r.client = map[*module][]int{}
	}
	if _, ok := r.client[m]; !ok {
		r.order = append(r.order, m)
	}
	r.client[m] = append(r.client[m], thunk)
}

// clients compiles what the page's islands need in the browser.
func (r *run) clients() {
	for _, m := range r.order {
		slices.Sort(r.client[m])
		script := r.site.build.Client(m.code.src, slices.Compact(r.client[m]))
		r.page.Client = append(r.page.Client, Client{Unit: m.file.Name, Script: script})
	}
}

// plain is a value as JSON can hold it.
func plain(v ast.Value) any {
	switch v := v.(type) {
	case *ast.Object:
		out := map[string]any{}
		if v != nil {
			for _, k := range v.Keys {
				out[k] = plain(v.Values[k])
			}
		}
		return out
	case []ast.Value:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plain(e)
		}
		return out
	case bool, float64, string:
		return v
	}
	return nil
}

// resolve is Site.resolve; the page depends on the file that a name comes from.
func (r *run) resolve(d definition) definition {
	if d.kind == reexport {
		r.use(d.file)
	}
	return r.site.resolve(d)
}
