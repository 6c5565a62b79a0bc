package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func tileComponent() Component {
	return Component{Name: "Tile", Render: renderTile, Props: []Prop{
		{Name: "href", Kind: Text, Required: true}, {Name: "title", Kind: Rich}, {Name: "description", Kind: Rich},
		{Name: "newTab", Kind: Flag},
	}}
}

// renderTile writes a tile: an image above a linked title.
func renderTile(w *Writer, e *ast.Element) {
	href := w.href(e, "href")
	class := "tile"
	if href != "" {
		class += " card-linked"
	}
	w.start("div", class, w.own(e), e)
	w.Raw(`>`)
	if !empty(e.Children) {
		w.Raw(`<div class="tile-stage">`)
		w.Render(e.Children)
		w.Raw(`</div>`)
	}
	w.cardTitle(e, href)
	if d := w.rich(e, "description"); d != nil {
		w.Raw(`<p class="tile-text">`)
		w.Render(d)
		w.Raw(`</p>`)
	}
	w.Raw(`</div>`)
}
