package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
	"github.com/lectern-docs/lectern/internal/render/stylesheet"
)

// element writes a tag: a component, an HTML element, or only the children if the element is unknown.
func (p *page) element(e *ast.Element) {
	if c, ok := component.Find(e.Name); ok {
		component.Check(c, e, p.Warn)
		c.Render(p.w, e)
		if e.Flow && !c.Inline { // between inline elements, a line break would be visible
			p.w.Raw("\n")
		}
		return
	}
	policy, ok := htmlpolicy.Element(e.Name)
	if r, _ := utf8.DecodeRuneInString(e.Name); !ok && (unicode.IsUpper(r) || strings.Contains(e.Name, ".")) {
		p.Warn(e.Span, "unknown-component", "Unknown component <"+e.Name+">. Only its content is shown.",
			component.Suggest(e.Name))
		p.Render(e.Children)
		return
	}
	switch {
	case ok:
		p.html(e, policy)
	case policy.Refused != "":
		p.Warn(e.Span, "refused-element", "<"+e.Name+"> is removed.", sentence(policy.Refused))
		if !policy.Drop {
			p.Render(e.Children)
		}
	default:
		p.Warn(e.Span, "unknown-element", "<"+e.Name+"> is not an HTML element. Only its content is shown.",
			`To show the character itself, write \<.`)
		p.Render(e.Children)
	}
}

func sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:] + "."
}

// html writes an element of HTML, SVG or MathML.
func (p *page) html(e *ast.Element, policy htmlpolicy.Policy) {
	if policy.Style {
		p.styleElement(e)
		return
	}
	name := policy.Name
	switch {
	case name == "h1" && p.untitled:
		p.untitled = false
	case name == "h1":
		name = "h2" // the page's title is the only h1
	case name == "p" && p.hasBlocks(e.Children):
		name = "div" // a parser would close the paragraph at the first block
	case name == "img":
		p.checkAlt(e)
	}
	if len(name) == 2 && name[0] == 'h' && name[1] >= '2' && name[1] <= '6' {
		p.outlineHTML(e, int(name[1]-'0'))
	}
	if name == "table" {
		p.w.Raw(tableOpen)
	}
	p.w.Raw("<")
	p.w.Name(name)
	inner, hasInner := p.attributes(e, policy.Name)
	p.w.Raw(">")
	switch {
	case policy.Void:
		return
	case hasInner:
		nodes, err := htmlpolicy.Parse(inner, e.Span)
		if err != nil {
			p.Warn(e.Span, "inner-html", "The HTML is ignored: "+err.Error()+".",
				"Write the content as Markdown or JSX.")
		}
		p.Render(nodes)
	case !policy.Empty:
		p.pictureDepth += pictureDepth(name)
		p.Render(e.Children)
		p.pictureDepth -= pictureDepth(name)
	}
	p.w.Raw("</")
	p.w.Name(name)
	p.w.Raw(">")
	if name == "table" {
		p.w.Raw(tableClose)
	}
	if e.Flow && policy.Block {
		p.w.Raw("\n")
	}
}

// styleElement adds the text of a <style> element to the page's style sheet instead of the body.
func (p *page) styleElement(e *ast.Element) {
	css := ast.PlainText(e.Children)
	if e.Has("dangerouslySetInnerHTML") {
		_, css, _, _ = htmlpolicy.AttrOf("style", "dangerouslySetInnerHTML", e.Prop("dangerouslySetInnerHTML"))
	}
	p.sheet.own.WriteString(string(stylesheet.Translate([]byte(htmlpolicy.StyleText(css)))) + "\n")
}

// outlineHTML adds a heading written as HTML to the outline if it has an id.
func (p *page) outlineHTML(e *ast.Element, level int) {
	id, _ := e.Prop("id").(string)
	if text := collapseSpace(ast.PlainText(e.Children)); text != "" && htmlpolicy.ValidID(id) {
		p.Outline(level, id, text)
	}
}

func (p *page) checkAlt(e *ast.Element) {
	if !e.Has("alt") && !e.Has("aria-hidden") && e.Str("role") != "presentation" {
		p.missingAlt(e.Span)
	}
}

// attr is an attribute that will be written.
type attr struct {
	name, value string
	kind        htmlpolicy.AttrKind
	prop        *ast.Prop
}

// attributes writes an element's attributes. If a name occurs several times, the last one wins. inner is the value of
// dangerouslySetInnerHTML.
func (p *page) attributes(e *ast.Element, element string) (inner string, hasInner bool) {
	var buffer [8]attr
	list := buffer[:0]
	find := func(name string) int { return slices.IndexFunc(list, func(a attr) bool { return a.name == name }) }
	for i := range e.Props {
		prop := &e.Props[i]
		a := attr{prop: prop}
		var ok bool
		a.name, a.value, a.kind, ok = htmlpolicy.AttrOf(element, prop.Name, prop.Value)
		switch {
		case !ok:
			p.Warn(prop.Attr, "refused-attribute", "The attribute "+prop.Name+" of <"+element+"> is removed.",
				refusalHint(element, prop.Name))
		case a.kind == htmlpolicy.InnerHTML:
			inner, hasInner = a.value, true
		case a.kind == htmlpolicy.Nothing:
		case len(list) == maxAttributes:
			p.Warn(prop.Attr, "refused-attribute", "<"+element+"> has too many attributes.", "Remove some of them.")
		default:
			if at := find(a.name); at >= 0 {
				list[at] = a
			} else {
				list = append(list, a)
			}
		}
	}
	list = addNoopener(list, find)
	var src component.Address
	for _, a := range list {
		if to := p.attribute(element, a); a.name == "src" {
			src = to
		}
	}
	if element == "img" {
		p.writeImageSize(list, src)
		p.writeImageLoading(list, src)
	}
	for _, x := range htmlpolicy.Added(element, func(name string) bool { return find(name) >= 0 }) {
		p.w.NamedAttr(x.Name, x.Value)
	}
	return inner, hasInner
}

// addNoopener sets the necessary rel on links that open a new window.
func addNoopener(list []attr, find func(string) int) []attr {
	target, rel := find("target"), find("rel")
	if target < 0 && rel < 0 {
		return list
	}
	var window, written string
	if target >= 0 {
		window = list[target].value
	}
	if rel >= 0 {
		written = list[rel].value
	}
	want := htmlpolicy.Rel(window, written)
	switch {
	case rel >= 0:
		list[rel].value = want
	case want != "":
		list = append(list, attr{name: "rel", value: want, kind: htmlpolicy.Plain, prop: list[target].prop})
	}
	return list
}

// refusalHint suggests what to write instead of a refused attribute.
func refusalHint(element, name string) string {
	switch {
	case len(name) > 2 && strings.EqualFold(name[:2], "on"):
		return "Write a function in braces, such as onClick={() => …}."
	case element == "iframe" && name == "src":
		return "Use an https address on another site."
	}
	return "Remove the attribute."
}

// maxAttributes limits the number of attributes of one element, because every name is compared with all others.
const maxAttributes = 200

// attribute writes one attribute, or nothing if the value is invalid. For a URL, it returns the resolved address.
func (p *page) attribute(element string, a attr) (to component.Address) {
	at, ok := a.prop.Attr, false
	switch a.kind {
	case htmlpolicy.Flag:
		p.w.Raw(" ")
		p.w.Name(a.name)
		return to
	case htmlpolicy.ID:
		p.w.IDs.Take(a.value)
	case htmlpolicy.Class:
		for c := range strings.FieldsSeq(a.value) {
			p.w.Classes[c] = true
		}
	case htmlpolicy.URL, htmlpolicy.Image:
		if to, ok = p.Resolve(a.value, a.kind == htmlpolicy.Image, at); !ok {
			return to
		}
		a.value = to.Href
	case htmlpolicy.SrcSet:
		a.value = p.resolveSources(a.value, at)
	case htmlpolicy.Style:
		a.value = p.style(element, a.prop)
	}
	if a.value == "" && (a.kind == htmlpolicy.Style || a.kind == htmlpolicy.SrcSet) {
		return to
	}
	p.w.NamedAttr(a.name, a.value)
	return to
}

// style returns the text of a style attribute.
func (p *page) style(element string, prop *ast.Prop) string {
	css, dropped := cssstyle.Text(prop.Value)
	if len(dropped) > 0 {
		p.Warn(prop.Attr, "style-refused",
			"Parts of the style of <"+element+"> are removed: "+strings.Join(dropped, ", ")+".",
			"Use an object with plain values, such as style={{ maxWidth: 400 }}.")
	}
	if ratio, low := cssstyle.LowContrast(css); low {
		p.Warn(prop.Attr, "low-contrast", fmt.Sprintf("The text of <%s> has a contrast of only %.1f to 1.", element, ratio),
			"Use colours with a contrast of at least 4.5 to 1, or 3 to 1 for text of 24 pixels or more.")
	}
	return css
}

func (p *page) resolveSources(value string, at ast.Span) string {
	all := htmlpolicy.Sources(value)
	kept := all[:0]
	for _, s := range all {
		if to, ok := p.Resolve(s.URL, true, at); ok {
			s.URL = to.Href
			kept = append(kept, s)
		}
	}
	return htmlpolicy.JoinSources(kept)
}
