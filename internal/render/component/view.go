package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func viewComponent() Component {
	return Component{Name: "View", Render: renderView, Props: []Prop{
		{Name: "title", Kind: Text, Required: true}, {Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text},
	}}
}

// renderView writes a part of the page for one choice of the reader, such as a language. Views with the same title
// belong together, wherever they are. The script shows the titles for selection. Without it all views are shown,
// each below its title.
func renderView(w *Writer, e *ast.Element) {
	title := e.Str("title")
	if title == "" {
		w.Render(e.Children)
		return
	}
	first := w.view == ""
	if first {
		w.view = title
	}
	w.start("section", "view multi-view-item", w.own(e), e)
	w.Attr("data-view", title)
	w.Flag("data-active", title == w.view)
	w.Flag("data-first", first) // the script inserts the bar of titles before it
	w.Raw(`><p class="view-title">`)
	w.icon(e, "icon", "view-icon", "")
	w.Text(title)
	w.Raw(`</p><div class="view-body flow">`)
	w.fold(title != w.view, func() {
		w.inside(&group{name: "View"}, func() { w.Render(e.Children) })
	})
	w.Raw(`</div></section>`)
}
