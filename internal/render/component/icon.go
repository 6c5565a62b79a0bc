package component

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
)

func iconComponent() Component {
	return Component{Name: "Icon", Inline: true, Render: renderIcon, Props: []Prop{
		{Name: "icon", Kind: Icon}, {Name: "src", Kind: Text}, {Name: "name", Kind: Icon},
		{Name: "iconType", Kind: Text}, {Name: "color", Kind: Text}, {Name: "size", Kind: Number},
	}}
}

func renderIcon(w *Writer, e *ast.Element) {
	var declarations []string
	if c := w.color(e, "color"); c != "" {
		declarations = append(declarations, "color: "+c)
	}
	if size, ok := number(e.Prop("size")); ok && size > 0 && size <= 1024 {
		declarations = append(declarations, "--icon: "+ast.Number(size)+"px")
	}
	for _, prop := range [...]string{"icon", "src", "name"} {
		if ast.Truthy(e.Prop(prop)) {
			before := w.Len()
			w.start("span", "icon", w.own(e), e, declarations...)
			w.Raw(">")
			if !w.glyph(e, prop) {
				w.Truncate(before)
				return
			}
			w.Raw("</span>")
			return
		}
	}
	w.Render(e.Children) // <Icon><svg/></Icon>
}

// icon writes the icon in a prop inside a span with the given class. It reports whether it wrote anything.
func (w *Writer) icon(e *ast.Element, prop, class, color string) bool {
	if !ast.Truthy(e.Prop(prop)) {
		return false
	}
	before := w.Len()
	w.Raw("<span")
	w.Attr("class", "icon "+class)
	if css, ok := cssstyle.Color(color); ok {
		w.Attr("style", "color: "+css)
	}
	w.Raw(">")
	if !w.glyph(e, prop) {
		w.Truncate(before)
		return false
	}
	w.Raw("</span>")
	return true
}

// glyph writes the icon itself: JSX unchanged, otherwise by name. It reports an unknown name.
func (w *Writer) glyph(e *ast.Element, prop string) bool {
	if nodes, ok := e.Prop(prop).(ast.Nodes); ok {
		w.Render(nodes)
		return true
	}
	name := e.Str(prop)
	if name == "" {
		return false
	}
	if isFile(name) {
		return w.iconFile(name, propSpan(e, prop))
	}
	if w.Icons != nil && w.Icons.WriteIcon(w.Buffer, name, e.Str("iconType")) {
		return true
	}
	w.Warn(propSpan(e, prop), "unknown-icon", "Unknown icon "+describe(name)+".",
		"Look up the name in the site's icon library, or use a file.")
	return false
}

// isFile reports whether an icon is a file or URL rather than a name.
func isFile(name string) bool {
	for _, start := range [...]string{"/", "./", "../", "http://", "https://"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".ico":
		return true
	}
	return false
}

// iconFile writes an image as an icon. The text next to it provides its meaning.
func (w *Writer) iconFile(name string, at ast.Span) bool {
	to, ok := w.Resolve(name, true, at)
	if ok {
		w.Raw(`<img`)
		w.Attr("src", to.Href) // without a size, because icons have a fixed one
		w.Raw(` alt="">`)
	}
	return ok
}
