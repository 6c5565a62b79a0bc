package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func cardComponent() Component {
	return Component{Name: "Card", Render: renderCard, Props: []Prop{
		{Name: "title", Kind: Rich}, {Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text},
		{Name: "color", Kind: Text},
		{Name: "href", Kind: Text}, {Name: "horizontal", Kind: Flag}, {Name: "img", Kind: Text},
		{Name: "cta", Kind: Rich},
		{Name: "arrow", Kind: Flag}, {Name: "disabled", Kind: Flag}, {Name: "description", Kind: Rich},
		{Name: "newTab", Kind: Flag},
		{Name: "type", Ignored: true}, {Name: "target", Ignored: true}, {Name: "rel", Ignored: true},
		{Name: "alt", Kind: Text},
		{Name: "iconColor", Ignored: true}, {Name: "as", Ignored: true}, {Name: "vertical", Ignored: true},
	}}
}

// renderCard writes a card. If it has href, the link of the title covers the whole card, so that links in the
// card's text still work.
func renderCard(w *Writer, e *ast.Element) {
	href := ""
	if !e.Flag("disabled") {
		href = w.href(e, "href")
	}
	class := "card"
	if e.Flag("horizontal") {
		class += " card-horizontal"
	}
	if href != "" {
		class += " card-linked"
	}
	if e.Flag("disabled") {
		class += " card-disabled"
	}
	w.start("div", class, w.own(e), e)
	w.Raw(`>`)
	w.cardImage(e)
	w.Raw(`<div class="card-main" data-component-part="card-content-container">`)
	w.icon(e, "icon", "card-icon", e.Str("color"))
	w.Raw(`<div class="card-body">`)
	w.cardTitle(e, href)
	if d := w.rich(e, "description"); d != nil {
		w.Raw(`<p class="card-text">`)
		w.Render(d)
		w.Raw(`</p>`)
	}
	if !empty(e.Children) {
		w.Raw(`<div class="card-text flow" data-component-part="card-content">`)
		w.Render(e.Children)
		w.Raw(`</div>`)
	}
	if cta := w.rich(e, "cta"); cta != nil {
		w.Raw(`<p class="card-cta" data-component-part="card-cta">`)
		w.Render(cta)
		w.Raw(`</p>`)
	}
	w.Raw(`</div></div>`)
	if href != "" && (e.Flag("arrow") || !e.Has("arrow") && outside(href)) {
		w.Raw(`<svg class="card-arrow" viewBox="0 0 16 16" aria-hidden="true"><path d="M5 11l6-6M6 5h5v5"/></svg>`)
	}
	w.Raw(`</div>`)
}

func (w *Writer) cardImage(e *ast.Element) {
	src := strings.TrimSpace(e.Str("img"))
	if src == "" {
		return
	}
	if to, ok := w.Resolve(src, true, propSpan(e, "img")); ok {
		w.Raw(`<img class="card-img" loading="lazy" decoding="async" data-component-part="card-image"`)
		w.Attr("src", to.Href)
		w.Attr("alt", e.Str("alt"))
		to.SourceSet(w.Buffer, 0)
		to.Size(w.Buffer)
		w.Raw(`>`)
	}
}

func (w *Writer) cardTitle(e *ast.Element, href string) {
	title := w.rich(e, "title")
	switch {
	case title == nil && href == "":
		return
	case title == nil: // the link has no text, so provide one for screen readers
		w.Raw(`<a class="card-link"`)
		w.linkAttrs(href, e.Flag("newTab"))
		w.Attr("aria-label", label(e.Children, href))
		w.Raw(`></a>`)
		return
	}
	w.Raw(`<p class="card-title" data-component-part="card-title">`)
	if href != "" {
		w.Raw(`<a class="card-link"`)
		w.linkAttrs(href, e.Flag("newTab"))
		w.Raw(`>`)
	}
	w.Render(title)
	if href != "" {
		w.Raw(`</a>`)
	}
	w.Raw(`</p>`)
}

// label returns a short name from the content, or the fallback if there is no text.
func label(nodes []ast.Node, fallback string) string {
	s := strings.Join(strings.Fields(ast.PlainText(nodes)), " ")
	if s == "" {
		return fallback
	}
	return clip.Runes(s, 80)
}
