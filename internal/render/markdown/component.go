package markdown

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// componentWriter returns the function that writes a component among blocks. It returns nil for components of which
// only the content matters (Columns, Panel, Badge …).
func componentWriter(name string) func(*writer, *ast.Element) {
	switch name {
	case "Note", "Info", "Tip", "Check", "Warning", "Danger", "Callout", "Important", "Alert", "Caution", "Critical",
		"Error", "Success",
		"Hint", "Banner":
		return (*writer).callout
	case "Steps":
		return (*writer).steps
	case "Step":
		return (*writer).step
	case "Tabs":
		return (*writer).tabs
	case "Tab", "Tabs.Tab", "TabItem", "Accordion", "View", "Expandable":
		return (*writer).section
	case "Card", "Tile":
		return (*writer).card
	case "CodeBlock":
		return (*writer).codeBlock
	case "Prompt":
		return (*writer).prompt
	case "ParamField", "ResponseField", "Param", "Property":
		return (*writer).field
	case "Frame":
		return (*writer).frame
	case "Update":
		return (*writer).update
	case "Heading":
		return (*writer).headingElement
	case "Latex":
		return func(w *writer, e *ast.Element) { w.math(latex(e)) }
	case "Visibility":
		return func(w *writer, e *ast.Element) {
			if e.Str("for") != "humans" {
				w.blocks(e.Children)
			}
		}
	case "Color.Row", "Color.Item", "GitHub.Repo", "Github.Repo":
		return (*writer).more
	case "Tree", "FileTree", "Tree.Folder", "FileTree.Folder", "Tree.File", "FileTree.File":
		return (*writer).tree
	}
	return nil
}

// calloutLabels maps components and types to the labels of callouts.
var calloutLabels = map[string]string{
	"Note": "Note", "Info": "Info", "Tip": "Tip", "Hint": "Tip", "Check": "Check", "Success": "Check",
	"Warning":   "Warning",
	"Important": "Warning", "Alert": "Warning", "Caution": "Warning", "Danger": "Danger", "Critical": "Danger",
	"Error": "Danger",
	"note":  "Note", "info": "Info", "tip": "Tip", "hint": "Tip", "check": "Check", "success": "Check",
	"warning": "Warning", "warn": "Warning",
	"important": "Warning", "alert": "Warning", "caution": "Warning", "danger": "Danger", "critical": "Danger",
	"error": "Danger",
}

// callout writes a quote with a label.
func (w *writer) callout(e *ast.Element) {
	label := calloutLabels[e.Name]
	if label == "" {
		label = calloutLabels[strings.ToLower(e.Str("type"))]
	}
	title := w.title(e, "title", style{strong: true})
	switch {
	case label == "" || title == "":
		label += title
	default:
		label += ": " + title
	}
	w.within("> ", "> ", func() {
		w.label(label)
		w.blocks(e.Children)
	})
}

// card writes an item of a list: a link and the text of the card.
func (w *writer) card(e *ast.Element) {
	w.entry(func() {
		head := w.cardHead(e)
		text := w.title(e, "description", style{})
		children := e.Children
		if p, ok := w.soleLine(children); ok {
			text, children = oneLine(strings.TrimSpace(text+" "+w.inline(p, style{flat: true}))), nil
		}
		switch {
		case head != "" && text != "":
			w.paragraph(head + ": " + text)
		default:
			w.paragraph(head + text)
		}
		w.blocks(children)
	})
}

// cardHead returns the card's title, as a link if the card has one. If there is no title, it uses the URL.
func (w *writer) cardHead(e *ast.Element) string {
	title := rich(e, "title")
	href := strings.TrimSpace(e.Str("href"))
	if href == "" || e.Flag("disabled") {
		return bold(oneLine(w.inline(title, style{flat: true, strong: true})))
	}
	var b strings.Builder
	if title == nil {
		title = []ast.Node{&ast.Text{Value: href}}
	}
	w.linkTo(&b, href, "", title, style{flat: true})
	return oneLine(b.String())
}

// soleLine returns content that consists of at most one paragraph, which can follow a title on the same line.
func (w *writer) soleLine(nodes []ast.Node) ([]ast.Node, bool) {
	if p, ok := ast.Only[*ast.Paragraph](nodes); ok {
		nodes = p.Children
	}
	return nodes, !w.holdsBlock(nodes, 0)
}

// frame writes an image with its title, hint and caption.
func (w *writer) frame(e *ast.Element) {
	for _, prop := range [...]string{"title", "hint"} {
		w.paragraph(w.title(e, prop, style{}))
	}
	w.blocks(e.Children)
	w.caption(w.title(e, "caption", style{emph: true}))
}

func (w *writer) headingElement(e *ast.Element) {
	level := 2
	switch v := e.Prop("level").(type) {
	case float64:
		level = int(min(6, max(1, v)))
	case string:
		if len(v) == 1 && v[0] >= '1' && v[0] <= '6' {
			level = int(v[0] - '0')
		}
	}
	w.heading(max(2, level), w.inline(e.Children, style{flat: true}))
}

// latex returns the formula of a <Latex>, without surrounding dollar signs.
func latex(e *ast.Element) string {
	tex := strings.TrimSpace(ast.PlainText(e.Children))
	for _, mark := range [...]string{"$$", "$"} {
		if len(tex) > 2*len(mark) && strings.HasPrefix(tex, mark) && strings.HasSuffix(tex, mark) {
			return strings.TrimSpace(tex[len(mark) : len(tex)-len(mark)])
		}
	}
	return tex
}
