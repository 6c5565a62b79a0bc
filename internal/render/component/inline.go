package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// plainComponents returns components that are alternative notations for Markdown or HTML. They are converted to nodes
// that the page renders in the usual way.
func plainComponents() []Component {
	return []Component{
		{Name: "Link", Inline: true, Render: renderLink, Props: []Prop{
			{Name: "href", Kind: Text, Required: true}, {Name: "title", Kind: Text}, {Name: "to", Kind: Text},
			{Name: "target", Ignored: true}, {Name: "rel", Ignored: true}, {Name: "newTab", Ignored: true},
		}},
		{Name: "Image", Inline: true, Instead: "img", Render: renderImage, Props: []Prop{
			{Name: "src", Kind: Text, Required: true}, {Name: "alt", Kind: Text}, {Name: "title", Kind: Text},
			{Name: "width", Kind: Text},
			{Name: "height", Kind: Text}, {Name: "layout", Ignored: true}, {Name: "priority", Ignored: true},
			{Name: "quality", Ignored: true},
		}},
		{Name: "Heading", Render: renderHeading,
			Props: []Prop{{Name: "level", Kind: Number}, {Name: "noAnchor", Kind: Flag}}},
		{Name: "Latex", Inline: true, Render: renderLatex,
			Props: []Prop{{Name: "inline", Kind: Flag}, {Name: "block", Kind: Flag}}},
		{Name: "Visibility", Render: renderVisibility,
			Props: []Prop{{Name: "for", Kind: Word, Required: true, Values: []string{"humans", "agents"}}}},
	}
}

func renderLink(w *Writer, e *ast.Element) {
	url := e.Str("href")
	if url == "" {
		url = e.Str("to")
	}
	if url == "" {
		w.Render(e.Children)
		return
	}
	w.Render([]ast.Node{&ast.Link{Span: e.Span, URL: url, Title: e.Str("title"), Children: e.Children}})
}

// renderImage converts the component to an <img> with the props that HTML supports.
func renderImage(w *Writer, e *ast.Element) {
	img := &ast.Element{Span: e.Span, Open: e.Open, Name: "img", Flow: e.Flow}
	for _, p := range e.Props {
		switch p.Name {
		case "src", "alt", "title", "width", "height", "className", "class", "style", "id", "loading":
			img.Props = append(img.Props, p)
		}
	}
	w.Render([]ast.Node{img})
}

// renderHeading converts the component to a Markdown heading, or to an HTML heading (which is not in the outline)
// if it must not have an anchor.
func renderHeading(w *Writer, e *ast.Element) {
	level := 2
	if f, ok := number(e.Prop("level")); ok && f >= 1 && f <= 6 {
		level = int(f)
	}
	if !e.Flag("noAnchor") && authorClass(e) == "" && !e.Has("style") {
		w.Render([]ast.Node{&ast.Heading{Span: e.Span, Level: level, ID: e.Str("id"), Children: e.Children}})
		return
	}
	tag := "h" + string(rune('0'+max(level, 2))) // the page's title is the only h1
	w.start(tag, "", w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</`)
	w.Name(tag)
	w.Raw(`>`)
}

// renderLatex renders its text as a formula, without surrounding dollar signs. Among blocks, the formula is a block.
func renderLatex(w *Writer, e *ast.Element) {
	tex := strings.TrimSpace(ast.PlainText(e.Children))
	block := e.Flow && !e.Flag("inline") || e.Flag("block")
	for _, mark := range [...]string{"$$", "$"} {
		if len(tex) > 2*len(mark) && strings.HasPrefix(tex, mark) && strings.HasSuffix(tex, mark) {
			tex = strings.TrimSpace(tex[len(mark) : len(tex)-len(mark)])
			break
		}
	}
	if tex == "" {
		return
	}
	if w.Math != nil {
		w.Math(w.Buffer, tex, block)
		return
	}
	w.Render([]ast.Node{&ast.Math{Span: e.Span, Text: tex, Block: block}})
}

// renderVisibility renders content for people. The Markdown form of the page contains the content for agents.
func renderVisibility(w *Writer, e *ast.Element) {
	if e.Str("for") != "agents" {
		w.Render(e.Children)
	}
}
