package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Components that are another spelling of Markdown or HTML: they become that, and the page draws it as it draws its
// own.
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

// renderImage makes an <img> of it, with the props that HTML has.
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

// renderHeading makes a Markdown heading of it, or an HTML one (without a place in the outline) when it shall have no
// anchor.
func renderHeading(w *Writer, e *ast.Element) {
	level := 2
	if f, ok := number(e.Prop("level")); ok && f >= 1 && f <= 6 {
		level = int(f)
	}
	if !e.Flag("noAnchor") && authorClass(e) == "" && !e.Has("style") {
		w.Render([]ast.Node{&ast.Heading{Span: e.Span, Level: level, ID: e.Str("id"), Children: e.Children}})
		return
	}
	tag := "h" + string(rune('0'+max(level, 2))) // the page's title is the one h1
	w.start(tag, "", w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</`)
	w.Name(tag)
	w.Raw(`>`)
}

// renderLatex draws its text as a formula, as a block where it stands among blocks. Dollar signs around it are taken
// off.
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

// renderVisibility shows what is for people. What is for agents is in the page's Markdown only.
func renderVisibility(w *Writer, e *ast.Element) {
	if e.Str("for") != "agents" {
		w.Render(e.Children)
	}
}
