package component

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func updateComponent() Component {
	return Component{Name: "Update", Render: renderUpdate, Props: []Prop{
		{Name: "label", Kind: Text, Required: true}, {Name: "description", Kind: Rich}, {Name: "tags", Kind: Data},
		{Name: "rss", Kind: Data},
		{Name: "date", Kind: Text}, {Name: "title", Ignored: true},
	}}
}

// renderUpdate writes an entry of a changelog: its date next to the changes.
func renderUpdate(w *Writer, e *ast.Element) {
	label := w.plain(e, "label")
	if label == nil {
		label = w.plain(e, "date")
	}
	text := ast.PlainText(label)
	id := w.idFor(e, text)
	if text != "" {
		w.Outline(2, id, text)
	}
	w.start("section", "update", id, e)
	w.Raw(`><div class="update-side">`)
	if text != "" {
		w.Raw(`<p class="update-label" data-component-part="update-label"><a`)
		w.Attr("href", "#"+id)
		w.Raw(`>`)
		w.Render(label)
		w.Raw(`</a></p>`)
	}
	w.updateTags(e.Prop("tags"))
	if note := w.plain(e, "description"); note != nil {
		w.Raw(`<p class="update-note" data-component-part="update-description">`)
		w.Render(note)
		w.Raw(`</p>`)
	}
	w.Raw(`</div><div class="update-body flow" data-component-part="update-content">`)
	w.inside(&group{name: "Update"}, func() { w.Render(e.Children) })
	w.Raw(`</div></section>`)
}

func (w *Writer) updateTags(v ast.Value) {
	list, ok := v.([]ast.Value)
	if !ok {
		list = []ast.Value{v}
	}
	open := false
	for _, v := range list {
		s, ok := scalar(v)
		if !ok {
			continue
		}
		if !open {
			w.Raw(`<p class="update-tags" data-platform>`)
			open = true
		}
		w.Raw(`<span class="tag">`)
		w.Text(s)
		w.Raw(`</span> `)
	}
	if open {
		w.Raw(`</p>`)
	}
}
