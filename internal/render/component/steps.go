package component

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

var titleSizes = []string{"p", "h2", "h3", "h4"}

func stepsComponents() []Component {
	return []Component{
		{Name: "Steps", Render: renderSteps,
			Props: []Prop{{Name: "titleSize", Kind: Word, Values: titleSizes}, {Name: "title", Ignored: true}}},
		{Name: "Step", Render: renderStep, Props: []Prop{
			{Name: "title", Kind: Rich}, {Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text},
			{Name: "stepNumber", Kind: Number},
			{Name: "titleSize", Kind: Word, Values: titleSizes}, {Name: "noAnchor", Kind: Flag},
			{Name: "duration", Ignored: true}, {Name: "optional", Ignored: true}, {Name: "description", Kind: Rich},
		}},
	}
}

func renderSteps(w *Writer, e *ast.Element) {
	w.start("div", "steps", w.own(e), e)
	w.Raw(` role="list">`)
	w.inside(&group{name: "Steps", size: e.Str("titleSize")}, func() { w.Render(e.Children) })
	w.Raw(`</div>`)
}

func renderStep(w *Writer, e *ast.Element) {
	g := w.parent("Steps")
	if g == nil { // a step outside Steps is not numbered
		g = &group{name: "Steps"}
	}
	g.count++
	w.start("div", "step", "", e)
	if w.parent("Steps") != nil {
		w.Raw(` role="listitem"`)
	}
	w.Raw(`><span class="step-mark" data-component-part="step-number" data-platform>`)
	if !w.icon(e, "icon", "step-icon", "") {
		n := strconv.Itoa(g.count)
		if f, ok := number(e.Prop("stepNumber")); ok {
			n = ast.Number(f)
		}
		w.Text(n)
	}
	w.Raw(`</span><div class="step-main">`)
	w.stepTitle(e, g)
	if d := w.rich(e, "description"); d != nil {
		w.Raw(`<p class="step-note">`)
		w.Render(d)
		w.Raw(`</p>`)
	}
	w.Raw(`<div class="step-body flow" data-component-part="step-content">`)
	w.inside(&group{name: "Step"}, func() { w.Render(e.Children) })
	w.Raw(`</div></div></div>`)
}

// stepTitle writes the title as a paragraph or, if the author sets a size, as a heading. Unless noAnchor is set, the
// title gets an anchor and an entry in the outline.
func (w *Writer) stepTitle(e *ast.Element, g *group) {
	title := w.rich(e, "title")
	text := ast.PlainText(title)
	if title == nil {
		if id := w.own(e); id != "" {
			w.Raw(`<span`)
			w.Attr("id", id)
			w.Raw(`></span>`)
		}
		return
	}
	tag, level := "p", 3
	size := e.Str("titleSize")
	if size == "" {
		size = g.size
	}
	switch size {
	case "h2", "h3", "h4":
		tag, level = size, int(size[1]-'0')
	}
	id := ""
	if !e.Flag("noAnchor") {
		id = w.idFor(e, text)
		w.Outline(level, id, text)
	} else {
		id = w.own(e)
	}
	w.Raw(`<`)
	w.Name(tag)
	w.Raw(` class="step-title" data-component-part="step-title"`)
	w.AttrIf("id", id)
	w.Raw(`>`)
	if !e.Flag("noAnchor") {
		w.Raw(`<a class="anchor"`)
		w.Attr("href", "#"+id)
		w.Raw(` aria-label="Link to this step" data-platform></a>`)
	}
	w.Render(title)
	w.Raw(`</`)
	w.Name(tag)
	w.Raw(`>`)
}
