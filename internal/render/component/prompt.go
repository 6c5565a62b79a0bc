package component

import (
	"net/url"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxDeepLink is the maximum length of a URL that programs registered for a scheme reliably accept, in bytes.
const maxDeepLink = 8000

func promptComponent() Component {
	return Component{Name: "Prompt", Render: renderPrompt, Props: []Prop{
		{Name: "description", Kind: Rich, Required: true}, {Name: "actions", Kind: Data}, {Name: "icon", Kind: Icon},
		{Name: "iconType", Kind: Text},
		{Name: "title", Kind: Rich},
	}}
}

// renderPrompt writes a prompt for an assistant: its description, buttons to copy or open it, and the text itself,
// which is initially collapsed.
func renderPrompt(w *Writer, e *ast.Element) {
	text := blockText(e.Children)
	w.start("div", "prompt", w.own(e), e)
	w.Attr("data-prompt", text)
	w.Raw(`><div class="prompt-head">`)
	w.icon(e, "icon", "prompt-icon", "")
	w.Raw(`<div class="prompt-note">`)
	for _, prop := range [...]string{"title", "description"} {
		if nodes := w.rich(e, prop); nodes != nil {
			w.Raw(`<p>`)
			w.Render(nodes)
			w.Raw(`</p>`)
		}
	}
	w.Raw(`</div>`)
	w.promptActions(e, text)
	w.Raw(`</div>`)
	if !empty(e.Children) {
		w.Raw(
			`<details class="prompt-body"><summary data-platform>Show the prompt</summary><div class="prompt-text flow">`)
		w.Render(e.Children)
		w.Raw(`</div></details>`)
	}
	w.Raw(`</div>`)
}

func (w *Writer) promptActions(e *ast.Element, text string) {
	list, ok := e.Prop("actions").([]ast.Value)
	if !ok {
		list = []ast.Value{"copy"}
		if s := e.Str("actions"); s != "" {
			list = []ast.Value{s}
		}
	}
	w.Raw(`<div class="prompt-actions" data-platform>`)
	done := map[string]bool{}
	for _, v := range list {
		name := ast.String(v)
		if done[name] {
			continue
		}
		done[name] = true
		switch name {
		case "copy":
			w.Raw(`<button type="button" class="prompt-action" data-copy hidden>Copy prompt</button>`)
		case "cursor":
			if href := "cursor://anysphere.cursor-deeplink/prompt?text=" +
				url.QueryEscape(text); len(href) <= maxDeepLink {
				w.Raw(`<a class="button prompt-action"`)
				w.Attr("href", href)
				w.Raw(`>Open in Cursor</a>`)
			}
		default:
			w.Warn(propSpan(e, "actions"), "bad-prop", "<Prompt> has no action "+describe(name)+".",
				`Use "copy", "cursor" or both.`)
		}
	}
	w.Raw(`</div>`)
}
