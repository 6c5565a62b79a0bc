package component

import (
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// places lists the props of ParamField that can hold its name. The prop's name is the parameter's location.
var places = []string{"path", "query", "body", "header", "cookie"}

func fieldComponents() []Component {
	common := []Prop{
		{Name: "type", Kind: Rich}, {Name: "required", Kind: Flag}, {Name: "deprecated", Kind: Flag},
		{Name: "default", Kind: Data},
		{Name: "pre", Kind: Data}, {Name: "post", Kind: Data}, {Name: "name", Kind: Rich},
		{Name: "description", Kind: Rich}, {Name: "readOnly", Kind: Flag},
		{Name: "optional", Ignored: true}, {Name: "defaultOpen", Ignored: true}, {Name: "placeholder", Ignored: true},
		{Name: "initialValue", Ignored: true},
		{Name: "enum", Ignored: true}, {Name: "children", Ignored: true}, {Name: "hidden", Ignored: true},
		{Name: "title", Ignored: true},
	}
	param := common
	for _, p := range places {
		param = append(param[:len(param):len(param)], Prop{Name: p, Kind: Rich})
	}
	return []Component{
		{Name: "ParamField", Render: renderParamField, Props: param},
		{Name: "ResponseField", Render: renderResponseField, Props: param},
		{Name: "Param", Instead: "ParamField", Render: renderParamField, Props: param},
		{Name: "Property", Instead: "ResponseField", Render: renderResponseField, Props: param},
		{Name: "Expandable", Render: renderExpandable, Props: []Prop{
			{Name: "title", Kind: Rich}, {Name: "defaultOpen", Kind: Flag}, {Name: "defaultClosed", Ignored: true},
			{Name: "description", Ignored: true},
			{Name: "type", Ignored: true}, {Name: "icon", Ignored: true},
		}},
	}
}

// fieldName returns the prop that holds a field's name. For a parameter it is also the location ("query").
func fieldName(e *ast.Element) (prop string) {
	for _, p := range places {
		if e.Str(p) != "" {
			return p
		}
	}
	return "name"
}

func renderParamField(w *Writer, e *ast.Element) {
	name, place := fieldName(e), ""
	if e.Str(name) == "" {
		w.Warn(propSpan(e, ""), "missing-prop", "<"+e.Name+"> needs a name.",
			`Add path="…", query="…", body="…" or header="…".`)
	}
	switch name {
	case "query", "header", "cookie": // path and body are common, so only the other locations are shown
		place = name
	}
	w.field(e, "param-", name, place)
}

func renderResponseField(w *Writer, e *ast.Element) {
	name := "name"
	if e.Str(name) == "" {
		name = fieldName(e)
	}
	if e.Str(name) == "" {
		w.Warn(propSpan(e, ""), "missing-prop", "<"+e.Name+"> needs name.", `Add name="…".`)
	}
	w.field(e, "response-", name, "")
}

// field writes a field. name is the prop that holds its name.
func (w *Writer) field(e *ast.Element, prefix, name, place string) {
	id := w.own(e)
	if base := slug.Heading(e.Str(name)); id == "" && base != "" {
		id = w.IDs.Claim(prefix + base)
	}
	class := "field"
	if e.Flag("deprecated") {
		class += " field-old"
	}
	w.start("div", class, id, e)
	w.Raw(`><div class="field-head">`)
	if id != "" {
		w.Raw(`<a class="anchor"`)
		w.Attr("href", "#"+id)
		w.Raw(` aria-label="Link to this field" data-platform></a>`)
	}
	w.fieldLabels(e.Prop("pre"), "field-meta-pre")
	if nodes := w.plain(e, name); nodes != nil {
		w.Raw(`<code class="field-name">`)
		w.Render(nodes)
		w.Raw(`</code> `)
	}
	if typ := w.plain(e, "type"); typ != nil {
		w.Raw(`<span class="field-type">`)
		w.Render(typ)
		w.Raw(`</span> `)
	}
	w.fieldMarks(e, place)
	w.fieldLabels(e.Prop("post"), "field-meta-post")
	w.Raw(`</div>`)
	if note := w.rich(e, "description"); note != nil {
		w.Raw(`<p class="field-note">`)
		w.Render(note)
		w.Raw(`</p>`)
	}
	if !empty(e.Children) {
		w.Raw(`<div class="field-body flow">`)
		w.inside(&group{name: "Field"}, func() { w.Render(e.Children) })
		w.Raw(`</div>`)
	}
	w.Raw(`</div>`)
}

// fieldMarks writes the labels that the platform itself adds to a field.
func (w *Writer) fieldMarks(e *ast.Element, place string) {
	if place != "" {
		w.Raw(`<span class="field-mark" data-platform>`)
		w.Text(place)
		w.Raw(`</span> `)
	}
	if e.Flag("required") {
		w.Raw(`<span class="field-mark field-required" data-platform>required</span> `)
	}
	if e.Flag("readOnly") {
		w.Raw(`<span class="field-mark" data-platform>read-only</span> `)
	}
	if e.Flag("deprecated") {
		w.Raw(`<span class="field-mark field-deprecated" data-platform>deprecated</span> `)
	}
	if s, ok := scalar(e.Prop("default")); ok {
		w.Raw(`<span class="field-default" data-platform>default: <code>`)
		w.Text(s)
		w.Raw(`</code></span> `)
	}
}

// fieldLabels writes the author's own labels before or after a field's name. part is the name by which authors' style
// sheets select them.
func (w *Writer) fieldLabels(v ast.Value, part string) {
	list, ok := v.([]ast.Value)
	if !ok {
		list = []ast.Value{v}
	}
	for _, v := range list {
		if s, ok := scalar(v); ok && s != "" {
			w.Raw(`<span class="field-label"`)
			w.Attr("data-component-part", part)
			w.Raw(` data-platform>`)
			w.Text(s)
			w.Raw(`</span> `)
		}
	}
}

// scalar returns a value as text. ok is false for null and missing values, but true for false and 0.
func scalar(v ast.Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case bool, float64:
		return ast.String(v), true
	case []ast.Value:
		return "[" + clip.Bytes(ast.String(v), maxQuoted) + "]", true
	case ast.Nodes:
		s := ast.PlainText(v)
		return s, s != ""
	}
	return "", false
}

func renderExpandable(w *Writer, e *ast.Element) {
	title := w.plain(e, "title")
	w.start("details", "expandable", w.own(e), e)
	w.Flag("open", e.Flag("defaultOpen"))
	w.Raw(
		`><summary><span class="expandable-show" data-platform>Show</span><span class="expandable-hide" data-platform>Hide</span> `)
	if title != nil {
		w.Raw(`<span class="expandable-title">`)
		w.Render(title)
		w.Raw(`</span>`)
	} else {
		w.Raw(`<span class="expandable-title" data-platform>properties</span>`)
	}
	w.Raw(`</summary><div class="expandable-body flow">`)
	w.inside(&group{name: "Expandable"}, func() { w.Render(e.Children) })
	w.Raw(`</div></details>`)
}
