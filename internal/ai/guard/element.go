package guard

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// runners are elements that run, load or redirect regardless of their attributes.
var runners = words("script object embed applet base meta link portal frame frameset noscript template")

// framers show another site within the page.
var framers = words("iframe video audio source track")

// element checks a tag and its attributes.
func (w *pageWalker) element(n *ast.Element) {
	name := strings.ToLower(n.Name)
	whole := name + attrSource(n)
	switch {
	case runners[name] && n.Name == name || name == "script":
		w.add(n.Open, never, "a <"+name+">", whole)
	case framers[name] && n.Name == name:
		w.list = append(w.list, trait{line: w.file.Pos(n.Open.Start).Line, kind: frame, what: "a <" + name + ">",
			source: whole, hosts: addressOf(n)})
	}
	for _, attr := range n.Attrs {
		w.attribute(name, attr)
	}
}

func (w *pageWalker) attribute(element string, attr ast.Attr) {
	name := strings.ToLower(attr.Name)
	source := name + "=" + attr.Value
	switch {
	case len(name) > 4 && strings.HasPrefix(name, "on") && attr.Kind != ast.AttrTrue:
		w.add(attr.Span, never, "an event handler", source)
	case name == "srcdoc" || name == "dangerouslysetinnerhtml" || name == "http-equiv" || name == "formaction" ||
		name == "ping":
		w.add(attr.Span, never, "the attribute "+name, source)
	case attr.Kind == ast.AttrString:
		w.address(attr.Span, element, attr.Value)
	case attr.Kind == ast.AttrExpr || attr.Kind == ast.AttrSpread:
		w.code(attr.Span, attr.Value)
	}
}

// addressOf returns the address that an element loads from; expressions are returned as source.
func addressOf(n *ast.Element) string {
	for _, attr := range n.Attrs {
		if strings.EqualFold(attr.Name, "src") {
			return strings.Trim(strings.TrimSpace(attr.Value), "\"'`")
		}
	}
	return ""
}

func attrSource(n *ast.Element) string {
	var b strings.Builder
	for _, attr := range n.Attrs {
		b.WriteString(" " + attr.Name + "=" + attr.Value)
	}
	return b.String()
}
