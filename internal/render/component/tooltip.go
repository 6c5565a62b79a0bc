package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func tooltipComponent() Component {
	return Component{Name: "Tooltip", Inline: true, Render: renderTooltip, Props: []Prop{
		{Name: "tip", Kind: Rich, Required: true}, {Name: "headline", Kind: Rich}, {Name: "cta", Kind: Rich},
		{Name: "href", Kind: Text},
		{Name: "children", Ignored: true}, {Name: "side", Ignored: true}, {Name: "position", Ignored: true},
	}}
}

// renderTooltip writes a tooltip, which style sheets show on hover and focus. The script keeps it inside the window and
// closes it on Escape. If there is an href but no link text (cta), the word itself becomes the link.
func renderTooltip(w *Writer, e *ast.Element) {
	headline, tip, cta := w.plain(e, "headline"), w.plain(e, "tip"), w.plain(e, "cta")
	if headline == nil && tip == nil && cta == nil {
		w.Render(e.Children)
		return
	}
	href := w.href(e, "href")
	id := w.IDs.Claim("tooltip--bubble") // ids of headings never contain two hyphens
	w.start("span", "tooltip", w.own(e), e)
	w.Raw(`>`)
	if cta == nil && href != "" {
		w.Raw(`<a class="tooltip-word"`)
		w.linkAttrs(href, false)
		w.Attr("aria-describedby", id)
		w.Raw(`>`)
		w.Render(e.Children)
		w.Raw(`</a>`)
	} else {
		w.Raw(`<span class="tooltip-word" tabindex="0"`)
		w.Attr("aria-describedby", id)
		w.Raw(`>`)
		w.Render(e.Children)
		w.Raw(`</span>`)
	}
	w.Raw(`<span class="tooltip-bubble" role="tooltip" data-component-part="tooltip-content"`)
	w.Attr("id", id)
	w.Raw("> ") // separates the word and its explanation where styles are not applied
	w.bubblePart("tooltip-head", headline)
	w.bubblePart("tooltip-tip", tip)
	if cta != nil && href != "" {
		w.Raw(`<a class="tooltip-cta"`)
		w.linkAttrs(href, false)
		w.Raw(`>`)
		w.Render(cta)
		w.Raw(`</a>`)
	} else {
		w.bubblePart("tooltip-cta", cta)
	}
	w.Raw(`</span></span>`)
}

func (w *Writer) bubblePart(class string, nodes []ast.Node) {
	if nodes == nil {
		return
	}
	w.Raw(`<span`)
	w.Attr("class", class)
	w.Raw(`>`)
	w.Render(nodes)
	w.Raw(`</span> `)
}
