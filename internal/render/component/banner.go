package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func bannerComponent() Component {
	return Component{Name: "Banner", Render: renderBanner, Props: []Prop{
		{Name: "title", Kind: Rich}, {Name: "background", Kind: Text}, {Name: "color", Kind: Text},
		{Name: "dismissible", Ignored: true}, {Name: "content", Ignored: true},
	}}
}

// renderBanner writes a coloured strip with a title and content. (The banner of the whole site is configured in the
// site file.)
func renderBanner(w *Writer, e *ast.Element) {
	class := "strip"
	var declarations []string
	for _, prop := range [...]string{"background", "color"} {
		if c := w.color(e, prop); c != "" {
			declarations = append(declarations, prop+": "+c)
			if prop == "background" {
				class = "strip strip-own"
			}
		}
	}
	w.start("div", class, w.own(e), e, declarations...)
	w.Raw(`>`)
	if title := w.plain(e, "title"); title != nil {
		w.Raw(`<p class="strip-title">`)
		w.Render(title)
		w.Raw(`</p>`)
	}
	if !empty(e.Children) {
		w.Raw(`<div class="strip-body flow">`)
		w.Render(e.Children)
		w.Raw(`</div>`)
	}
	w.Raw(`</div>`)
}
