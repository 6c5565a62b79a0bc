package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// calloutTypes maps the types found on real pages to the kinds of callouts.
var calloutTypes = map[string]string{
	"note": "note", "info": "info", "tip": "tip", "check": "check", "warning": "warning", "danger": "danger",
	"success": "check", "caution": "warning", "warn": "warning", "alert": "warning", "important": "warning",
	"error": "danger", "critical": "danger", "hint": "tip",
}

func calloutComponents() []Component {
	var list []Component
	props := []Prop{
		{Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text}, {Name: "color", Kind: Text},
		{Name: "title", Kind: Rich},
		{Name: "type", Ignored: true}, {Name: "href", Ignored: true},
	}
	for _, c := range [...]struct{ name, tone, instead string }{
		{"Note", "note", ""}, {"Warning", "warning", ""}, {"Info", "info", ""}, {"Tip", "tip", ""},
		{"Check", "check", ""},
		{"Danger", "danger", ""}, {"Callout", "", ""},
		{"Important", "warning", "Warning"}, {"Alert", "warning", "Warning"}, {"Caution", "warning", "Warning"},
		{"Critical", "danger", "Danger"}, {"Error", "danger", "Danger"}, {"Success", "check", "Check"},
		{"Hint", "tip", "Tip"},
	} {
		tone := c.tone
		render := func(w *Writer, e *ast.Element) { renderCallout(w, e, tone) }
		list = append(list, Component{Name: c.name, Instead: c.instead, Props: props, Render: render})
	}
	return list
}

func renderCallout(w *Writer, e *ast.Element, tone string) {
	if tone == "" {
		tone = calloutTypes[strings.ToLower(e.Str("type"))]
	}
	class := "callout"
	if tone != "" {
		class += " callout-" + tone
	}
	var declarations []string
	if c := w.color(e, "color"); c != "" {
		declarations = append(declarations, "--tone: "+c)
	}
	w.start("div", class, w.own(e), e, declarations...)
	w.AttrIf("data-callout-type", tone)
	w.Raw(` role="note"`)
	if label := calloutLabel(tone); label != "" && !e.Has("aria-label") {
		w.Attr("aria-label", label)
	}
	w.Raw(`>`)
	if !w.icon(e, "icon", "callout-icon", "") {
		w.calloutIcon(tone)
	}
	w.Raw(`<div class="callout-body flow" data-component-part="callout-content">`)
	if title := w.plain(e, "title"); title != nil {
		w.Raw(`<p class="callout-title">`)
		w.Render(title)
		w.Raw(`</p>`)
	}
	w.Render(e.Children)
	w.Raw(`</div></div>`)
}

func calloutLabel(tone string) string {
	switch tone {
	case "note":
		return "Note"
	case "info":
		return "Info"
	case "tip":
		return "Tip"
	case "check":
		return "Check"
	case "warning":
		return "Warning"
	case "danger":
		return "Danger"
	}
	return ""
}

// calloutIcon draws a tone's icon itself, so that it needs no icon library. The shapes differ, so that readers can tell
// tones apart without colour.
func (w *Writer) calloutIcon(tone string) {
	if tone == "" {
		return
	}
	w.Raw(
		`<span class="icon callout-icon"><svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor"`,
		` stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">`)
	switch tone {
	case "note":
		w.Raw(`<path d="M11.8 4.6 4.6 11.8 3.5 16.5l4.7-1.1 7.2-7.2a2.5 2.5 0 0 0-3.6-3.6zM10.4 6l3.6 3.6"/>`)
	case "info":
		w.Raw(`<circle cx="10" cy="10" r="7.25"/><path d="M10 9.25v4.25M10 6.5v.1"/>`)
	case "tip":
		w.Raw(`<path d="M7.5 14.25c0-1.9-2.5-2.9-2.5-6.1a5 5 0 0 1 10 0c0 3.2-2.5 4.2-2.5 6.1zM8.25 17.25h3.5"/>`)
	case "check":
		w.Raw(`<circle cx="10" cy="10" r="7.25"/><path d="m6.9 10.3 2.1 2.1 4.1-4.6"/>`)
	case "warning":
		w.Raw(`<path d="M10 3.25 17.5 16.5h-15zM10 8.25v3.5M10 14.1v.1"/>`)
	case "danger":
		w.Raw(`<path d="M7 2.75h6L17.25 7v6L13 17.25H7L2.75 13V7zM10 6.5v4.25M10 13.5v.1"/>`)
	}
	w.Raw(`</svg></span>`)
}
