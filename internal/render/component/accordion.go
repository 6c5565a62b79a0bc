package component

import "github.com/lectern-docs/lectern/internal/mdx/ast"

func accordionComponents() []Component {
	return []Component{
		{Name: "Accordion", Render: renderAccordion, Props: []Prop{
			{Name: "title", Kind: Rich, Required: true}, {Name: "description", Kind: Rich},
			{Name: "defaultOpen", Kind: Flag},
			{Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text},
			{Name: "href", Ignored: true}, {Name: "query", Ignored: true}, {Name: "type", Ignored: true},
			{Name: "open", Kind: Flag},
		}},
		{Name: "AccordionGroup", Render: renderAccordionGroup,
			Props: []Prop{{Name: "title", Ignored: true}, {Name: "cols", Ignored: true}}},
	}
}

// renderAccordion uses the browser's details element. It works without a script, and the browser's page search finds
// its content.
func renderAccordion(w *Writer, e *ast.Element) {
	title := w.rich(e, "title")
	w.start("details", "accordion", w.idFor(e, ast.PlainText(title)), e)
	open := e.Flag("defaultOpen") || e.Flag("open")
	w.Flag("open", open)
	w.Raw(`><summary>`)
	w.icon(e, "icon", "accordion-icon", "")
	w.Raw(`<span class="accordion-head"><span class="accordion-title" data-component-part="accordion-title">`)
	w.Render(title)
	w.Raw(`</span>`)
	if d := w.rich(e, "description"); d != nil {
		w.Raw(` <span class="accordion-note">`)
		w.Render(d)
		w.Raw(`</span>`)
	}
	w.Raw(`</span></summary><div class="accordion-body flow" data-component-part="accordion-content">`)
	w.fold(!open, func() { w.Render(e.Children) })
	w.Raw(`</div></details>`)
}

func renderAccordionGroup(w *Writer, e *ast.Element) {
	w.start("div", "accordion-group", w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</div>`)
}
