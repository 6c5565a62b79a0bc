package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func frameComponent() Component {
	return Component{Name: "Frame", Render: renderFrame, Props: []Prop{
		{Name: "caption", Kind: Rich}, {Name: "hint", Kind: Rich}, {Name: "title", Kind: Rich},
		{Name: "description", Ignored: true},
		{Name: "width", Ignored: true}, {Name: "height", Ignored: true}, {Name: "type", Ignored: true},
		{Name: "alt", Ignored: true},
		{Name: "background", Ignored: true},
	}}
}

func renderFrame(w *Writer, e *ast.Element) {
	w.start("figure", "frame", w.own(e), e)
	w.Raw(`>`)
	for _, prop := range [...]string{"title", "hint"} {
		if nodes := w.markdown(e, prop); nodes != nil {
			w.Raw(`<p class="frame-hint">`)
			w.Render(nodes)
			w.Raw(`</p>`)
		}
	}
	w.Raw(`<div class="frame-stage flow" data-component-part="frame-content">`)
	w.Render(e.Children)
	w.Raw(`</div>`)
	if caption := w.markdown(e, "caption"); caption != nil {
		w.Raw(`<figcaption data-component-part="frame-caption">`)
		w.Render(caption)
		w.Raw(`</figcaption>`)
	}
	w.Raw(`</figure>`)
}

// markdown returns a prop like rich, but keeps links.
func (w *Writer) markdown(e *ast.Element, prop string) []ast.Node {
	if s, ok := e.Prop(prop).(string); ok && s != "" && w.Markdown != nil {
		return w.Markdown(s)
	}
	return w.rich(e, prop)
}
