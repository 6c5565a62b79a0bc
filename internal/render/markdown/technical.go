package markdown

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// codeBlock writes a fence. If the component contains a fence, its props are added to the meta of that fence.
func (w *writer) codeBlock(e *ast.Element) {
	lang, meta, text := "", "", ""
	if fence, ok := ast.Only[*ast.Code](e.Children); ok {
		lang, meta, text = fence.Lang, fence.Meta, fence.Text
	} else {
		text = strings.Trim(ast.PlainText(e.Children), "\n")
	}
	if text == "" {
		text = strings.Trim(e.Str("code"), "\n")
	}
	for _, prop := range [...]string{"lang", "language"} {
		if l := e.Str(prop); l != "" {
			lang = l
		}
	}
	for _, prop := range [...]string{"filename", "title"} {
		if t := e.Str(prop); t != "" && meta == "" {
			meta = t
		}
	}
	w.fence(lang+" "+meta, text)
}

// prompt writes a text for an assistant.
func (w *writer) prompt(e *ast.Element) {
	w.label(w.title(e, "title", style{strong: true}))
	w.paragraph(w.title(e, "description", style{}))
	inner := newWriter(w.resolve)
	inner.left, inner.looks, inner.depth, inner.slots = w.left, w.looks, w.depth, w.slots
	inner.blocks(e.Children)
	w.left, w.looks = inner.left, inner.looks
	if text := strings.TrimSpace(inner.out.String()); text != "" {
		w.fence("text", text)
	}
}

// places lists the props of a field that can hold its name. The prop's name is the parameter's location.
var places = [...]string{"path", "query", "body", "header", "cookie"}

// field writes an item of a list: name, type, labels, and the description.
func (w *writer) field(e *ast.Element) {
	name, place := e.Str("name"), ""
	for _, p := range places {
		if s := e.Str(p); s != "" && name == "" {
			name, place = s, p
		}
	}
	if nodes, ok := e.Prop("name").(ast.Nodes); ok {
		name = ast.PlainText(nodes)
	}
	head := codeSpan(name, false)
	if about := w.fieldMarks(e, place); len(about) > 0 {
		head += " (" + strings.Join(about, ", ") + ")"
	}
	w.entry(func() {
		text := w.title(e, "description", style{})
		children := e.Children
		if p, ok := w.soleLine(children); ok {
			text, children = oneLine(strings.TrimSpace(text+" "+w.inline(p, style{flat: true}))), nil
		}
		if text != "" {
			head += ": " + text
		}
		w.paragraph(strings.TrimSpace(head))
		w.blocks(children)
	})
}

// fieldMarks returns the labels of a field.
func (w *writer) fieldMarks(e *ast.Element, place string) (out []string) {
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	for _, v := range values(e.Prop("pre")) {
		add(Text(v))
	}
	for _, v := range values(e.Prop("type")) {
		add(Word(v))
	}
	switch place {
	case "query", "header", "cookie":
		add("in " + place)
	}
	for _, flag := range [...]struct{ prop, word string }{{"required", "required"}, {"readOnly", "read-only"},
		{"deprecated", "deprecated"}} {
		if e.Flag(flag.prop) {
			add(flag.word)
		}
	}
	if def := values(e.Prop("default")); len(def) > 0 {
		add("default: " + codeSpan(strings.Join(def, ", "), false))
	}
	for _, v := range values(e.Prop("post")) {
		add(Text(v))
	}
	return out
}

// values returns the scalar values in a prop, which is a single value or a list.
func values(v ast.Value) (out []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			return []string{v}
		}
	case bool, float64:
		return []string{ast.String(v)}
	case ast.Nodes:
		if s := oneLine(ast.PlainText(v)); s != "" {
			return []string{s}
		}
	case []ast.Value:
		for _, e := range v[:min(len(v), 100)] {
			switch e.(type) {
			case string, bool, float64, ast.Nodes:
				out = append(out, values(e)...)
			}
		}
	}
	return out
}

// more writes colours and repositories as items of a list.
func (w *writer) more(e *ast.Element) {
	switch e.Name {
	case "Color.Row":
		w.label(w.title(e, "title", style{strong: true}))
		w.blocks(e.Children)
	case "Color.Item":
		value := e.Str("value")
		if o, ok := e.Prop("value").(*ast.Object); ok {
			value = strings.Join(append(values(o.Get("light")), values(o.Get("dark"))...), " / ")
		}
		text := codeSpan(value, false)
		if name := plain(e, "name"); name != "" {
			text = name + ": " + text
		}
		w.entry(func() { w.paragraph(text) })
	default:
		name := strings.TrimPrefix(strings.TrimSpace(e.Str("repo")), "https://github.com/")
		var b strings.Builder
		w.linkTo(&b, "https://github.com/"+name, "", []ast.Node{&ast.Text{Value: name}}, style{flat: true})
		w.paragraph(b.String())
		w.blocks(e.Children)
	}
}

// tree writes nested lists. Names of folders end with a slash.
func (w *writer) tree(e *ast.Element) {
	_, kind, part := strings.Cut(e.Name, ".")
	if !part {
		if items, ok := e.Prop("items").([]ast.Value); ok {
			w.treeItems(items, 0)
		}
		w.blocks(e.Children)
		return
	}
	name := e.Str("name")
	if kind == "Folder" && name != "" && !strings.HasSuffix(name, "/") {
		name += "/"
	}
	w.entry(func() {
		text := codeSpan(name, false)
		if note := plain(e, "comment"); note != "" {
			text += ": " + note
		}
		w.paragraph(text)
		w.fresh = true // no empty line between a folder and its entries
		w.blocks(e.Children)
	})
}

func (w *writer) treeItems(items []ast.Value, depth int) {
	for _, v := range items {
		if !w.spend() || depth >= 64 {
			return
		}
		name, inner := "", []ast.Value(nil)
		switch v := v.(type) {
		case string:
			name = v
		case *ast.Object:
			name, _ = v.Get("name").(string)
			for _, key := range [...]string{"items", "children"} {
				if list, ok := v.Get(key).([]ast.Value); ok {
					inner = list
				}
			}
		}
		if name == "" {
			continue
		}
		if inner != nil && !strings.HasSuffix(name, "/") {
			name += "/"
		}
		w.entry(func() {
			w.paragraph(codeSpan(name, false))
			w.fresh = true
			w.treeItems(inner, depth+1)
		})
	}
}
