package markdown

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// steps writes a numbered list. The title of each step is bold, or a heading if the author sets titleSize.
func (w *writer) steps(e *ast.Element) {
	w.serial = append(w.serial, 0)
	size := e.Str("titleSize")
	for _, n := range e.Children {
		w.stepsChild(n, size)
	}
	w.serial = w.serial[:len(w.serial)-1]
	w.prev = dots
}

func (w *writer) stepsChild(n ast.Node, size string) {
	if e, ok := n.(*ast.Element); ok && e.Name == "Step" && e.Str("titleSize") == "" && size != "" {
		c := *e
		c.Props = append(append([]ast.Prop{}, e.Props...), ast.Prop{Name: "titleSize", Value: size})
		n = &c
	}
	w.blocks([]ast.Node{n})
}

func (w *writer) step(e *ast.Element) {
	number := 1
	if n := len(w.serial); n > 0 {
		w.serial[n-1]++
		number = w.serial[n-1]
	}
	if f, ok := e.Prop("stepNumber").(float64); ok && f >= 0 && f < 1e9 {
		number = int(f)
	}
	w.item(strconv.Itoa(number)+". ", false, func() {
		outer := w.serial
		w.serial = nil
		switch size := e.Str("titleSize"); size {
		case "h2", "h3", "h4":
			w.heading(int(size[1]-'0'), w.title(e, "title", style{}))
		default:
			w.label(w.title(e, "title", style{strong: true}))
		}
		w.paragraph(w.title(e, "description", style{}))
		w.blocks(e.Children)
		w.serial = outer
	})
}

// tabs writes tabs one after another, each below its title.
func (w *writer) tabs(e *ast.Element) {
	items, _ := e.Prop("items").([]ast.Value)
	number := 0
	for _, n := range e.Children {
		tab, ok := n.(*ast.Element)
		if ok && isTab(tab.Name) {
			if number < len(items) && !tab.Has("title") && !tab.Has("label") {
				c := *tab
				c.Props = append(append([]ast.Prop{}, tab.Props...),
					ast.Prop{Name: "title", Value: ast.String(items[number])})
				n = &c
			}
			number++
		}
		w.blocks([]ast.Node{n})
	}
}

func isTab(name string) bool { return name == "Tab" || name == "Tabs.Tab" || name == "TabItem" }

// section writes a part with a bold title, such as a tab, an accordion or a view.
func (w *writer) section(e *ast.Element) {
	title := ""
	for _, prop := range [...]string{"title", "label", "value"} {
		if title == "" {
			title = w.title(e, prop, style{strong: true})
		}
	}
	w.label(title)
	w.paragraph(w.title(e, "description", style{}))
	w.blocks(e.Children)
}

// update writes an entry of a changelog.
func (w *writer) update(e *ast.Element) {
	label := plain(e, "label")
	if label == "" {
		label = plain(e, "date")
	}
	w.heading(2, label)
	var about []string
	if d := w.title(e, "description", style{}); d != "" {
		about = append(about, d)
	}
	if tags := Tags(e); len(tags) > 0 {
		for i, t := range tags {
			tags[i] = Text(t)
		}
		about = append(about, "Tags: "+strings.Join(tags, ", "))
	}
	w.paragraph(strings.Join(about, " · "))
	w.blocks(e.Children)
}

// plain returns a prop as inline Markdown. A string value is treated as plain text.
func plain(e *ast.Element, name string) string {
	if nodes, ok := e.Prop(name).(ast.Nodes); ok {
		return Text(ast.PlainText(nodes))
	}
	return Text(e.Str(name))
}

// Tags returns the words of an Update's tags.
func Tags(e *ast.Element) (out []string) {
	list, ok := e.Prop("tags").([]ast.Value)
	if !ok {
		list = []ast.Value{e.Prop("tags")}
	}
	for _, v := range list {
		switch v := v.(type) {
		case string, float64:
			if s := oneLine(ast.String(v)); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
