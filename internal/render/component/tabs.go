package component

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

var tabNames = []string{"Tab", "Tabs.Tab", "TabItem"}

func tabsComponents() []Component {
	tab := []Prop{
		{Name: "title", Kind: Rich}, {Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text},
		{Name: "label", Kind: Rich},
		{Name: "value", Kind: Text},
		{Name: "disabled", Ignored: true}, {Name: "default", Kind: Flag}, {Name: "language", Ignored: true},
	}
	return []Component{
		{Name: "Tabs", Render: renderTabs, Props: []Prop{
			{Name: "defaultTabIndex", Kind: Number}, {Name: "sync", Kind: Flag}, {Name: "borderBottom", Kind: Flag},
			{Name: "items", Kind: Data}, {Name: "defaultValue", Kind: Text}, {Name: "group", Ignored: true},
			{Name: "groupId", Ignored: true},
			{Name: "title", Ignored: true},
		}},
		{Name: "Tab", Render: renderTab, Props: tab},
		{Name: "Tabs.Tab", Render: renderTab, Props: tab},
		{Name: "TabItem", Instead: "Tab", Render: renderTab, Props: tab},
	}
}

// renderTabs writes tabs. Without a script, the panels follow each other, each below its title. The bar of titles
// is shown when the script runs.
func renderTabs(w *Writer, e *ast.Element) {
	g := &group{name: "Tabs"}
	if items, ok := e.Prop("items").([]ast.Value); ok {
		for _, v := range items {
			g.titles = append(g.titles, ast.String(v))
		}
	}
	children := elements(e.Children, tabNames...)
	first := e.Str("defaultValue")
	for i, c := range children {
		if c.Flag("default") || first != "" && (c.Str("value") == first || c.Str("title") == first) {
			g.start = i
		}
	}
	if f, ok := number(e.Prop("defaultTabIndex")); ok && f >= 0 && int(f) < len(children) {
		g.start = int(f)
	}
	class := "tabset tabs"
	if e.Flag("borderBottom") {
		class += " tabset-ruled"
	}
	panels := w.capture(func() { w.inside(g, func() { w.Render(e.Children) }) })
	w.start("lectern-tabs", class, w.own(e), e)
	if e.Has("sync") && !e.Flag("sync") {
		w.Raw(` data-sync="off"`)
	}
	w.Raw(`>`)
	if len(g.tabs) > 0 {
		w.tabBar(g.tabs)
	}
	w.Trusted(panels)
	w.Raw(`</lectern-tabs>`)
}

func (w *Writer) tabBar(tabs []tab) {
	w.Raw(`<div class="tabset-bar" role="tablist" data-component-part="tabs-list">`)
	for _, t := range tabs {
		w.Raw(`<button type="button" role="tab" data-component-part="tab-button"`)
		w.Attr("id", t.id+"--tab") // ids of headings never contain two hyphens
		w.Attr("aria-controls", t.id)
		if t.open {
			w.Raw(` aria-selected="true">`)
		} else {
			w.Raw(` aria-selected="false" tabindex="-1">`)
		}
		w.Trusted(t.label)
		w.Raw(`</button>`)
	}
	w.Raw(`</div>`)
}

// maxLabel limits the label of a tab, in bytes. A label is written twice, so without a limit the output would double
// with each level of tabs nested in tab titles.
const maxLabel = 16 << 10

func renderTab(w *Writer, e *ast.Element) {
	g := w.parent("Tabs")
	alone := g == nil
	if alone {
		g = &group{name: "Tabs"}
	}
	title := w.tabTitle(e, g)
	id := w.idFor(e, ast.PlainText(title))
	label := w.capture(func() {
		w.icon(e, "icon", "tabset-icon tab-icon", "")
		w.Render(title)
	})
	if len(label) > maxLabel {
		label = w.capture(func() { w.Text(clip.Bytes(ast.PlainText(title), maxQuoted)) })
	}
	open := g.count == g.start
	g.count++
	g.tabs = append(g.tabs, tab{id: id, label: label, open: open})
	w.start("div", "tabset-panel", id, e)
	if !alone {
		w.Raw(` role="tabpanel"`)
		w.Attr("aria-labelledby", id+"--tab")
		w.Flag("data-active", open)
		w.Raw(`><p class="tabset-title" data-platform>`)
	} else {
		w.Raw(`><p class="tabset-title">`)
	}
	w.Trusted(label)
	w.Raw(`</p><div class="tabset-body flow" data-component-part="tab-content">`)
	w.fold(!alone && !open, func() {
		w.inside(&group{name: "Tab"}, func() { w.Render(e.Children) })
	})
	w.Raw(`</div></div>`)
}

// tabTitle returns the tab's title, or else its label, its entry in the parent's items, its value, or its number.
func (w *Writer) tabTitle(e *ast.Element, g *group) []ast.Node {
	for _, prop := range [...]string{"title", "label"} {
		if nodes := w.rich(e, prop); nodes != nil {
			return nodes
		}
	}
	if g.count < len(g.titles) {
		return w.Inline(g.titles[g.count])
	}
	if s := e.Str("value"); s != "" {
		return w.Inline(s)
	}
	w.Warn(propSpan(e, ""), "missing-prop", "<"+e.Name+"> needs title.", `Add title="…".`)
	return []ast.Node{&ast.Text{Span: e.Span, Value: "Tab " + strconv.Itoa(g.count+1)}}
}
