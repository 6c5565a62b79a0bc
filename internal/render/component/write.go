package component

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
)

// start writes the start of a tag, which the caller continues with more attributes. It writes the class, the author's
// attributes (className, style, aria-*, data-*) and the id. The caller must have claimed the id; "" means none.
// declarations are the platform's own and precede the author's style.
func (w *Writer) start(tag, class, id string, e *ast.Element, declarations ...string) {
	w.Raw("<")
	w.Name(tag)
	if extra := authorClass(e); extra != "" {
		class = strings.TrimLeft(class+" "+extra, " ")
		for word := range strings.FieldsSeq(extra) {
			if w.Classes != nil {
				w.Classes[word] = true
			}
		}
	}
	w.AttrIf("class", class)
	w.AttrIf("id", id)
	if css, dropped := cssstyle.Text(e.Prop("style")); css != "" || len(dropped) > 0 {
		w.warnStyle(e, dropped)
		if css != "" {
			declarations = append(declarations, css)
		}
	}
	w.AttrIf("style", strings.Join(declarations, "; "))
	w.passThrough(e)
}

// passThrough writes aria-* and data-* attributes. If a name occurs twice, the later one wins.
func (w *Writer) passThrough(e *ast.Element) {
	var done map[string]bool
	for i := len(e.Props) - 1; i >= 0; i-- {
		p := e.Props[i]
		if !passes(p.Name) || done[p.Name] {
			continue
		}
		if done == nil {
			done = map[string]bool{}
		}
		done[p.Name] = true
		switch v := p.Value.(type) {
		case string, float64, bool:
			w.NamedAttr(p.Name, ast.String(v))
		}
	}
}

// authorClass returns className (or class, as in HTML) on one line.
func authorClass(e *ast.Element) string {
	s := e.Str("className")
	if s == "" {
		s = e.Str("class")
	}
	return strings.Join(strings.Fields(s), " ")
}

// passes reports whether an attribute is copied to the HTML unchanged. Authors cannot set the platform's own
// attributes (data-platform …).
func passes(name string) bool {
	rest, data := strings.CutPrefix(name, "data-")
	aria := false
	if !data {
		rest, aria = strings.CutPrefix(name, "aria-")
	}
	if !data && !aria || rest == "" || len(name) > 60 {
		return false
	}
	for i := 0; i < len(rest); i++ {
		if c := rest[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return !data || !reserved(rest)
}

func reserved(data string) bool {
	switch data {
	case "platform", "copy", "line-number", "active", "sync", "math":
		return true
	}
	return false
}

func (w *Writer) warnStyle(e *ast.Element, dropped []string) {
	if len(dropped) > 0 {
		w.Warn(propSpan(e, "style"), "style-refused",
			"Parts of the style are removed: "+strings.Join(dropped, ", ")+".",
			"Use an object with plain values, such as style={{ maxWidth: 400 }}.")
	}
}

// own returns the author's id, made unique, or "".
func (w *Writer) own(e *ast.Element) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, e.Str("id"))
	if id := strings.Join(strings.Fields(visible), "-"); id != "" {
		return w.IDs.Claim(id)
	}
	return ""
}

// idFor returns the author's id, or an id derived from the title.
func (w *Writer) idFor(e *ast.Element, title string) string {
	if id := w.own(e); id != "" {
		return id
	}
	return w.IDs.Heading(title)
}

// propSpan returns the position of a prop in the source, or of the opening tag.
func propSpan(e *ast.Element, name string) ast.Span {
	for i := len(e.Props) - 1; i >= 0; i-- {
		if e.Props[i].Name == name && e.Props[i].Attr != (ast.Span{}) {
			return e.Props[i].Attr
		}
	}
	if e.Open != (ast.Span{}) {
		return e.Open
	}
	return e.Span
}

// rich returns a prop as content: JSX unchanged, a string parsed as inline Markdown, or nil.
func (w *Writer) rich(e *ast.Element, name string) []ast.Node {
	if nodes, ok := e.Prop(name).(ast.Nodes); ok {
		return nodes
	}
	if s := e.Str(name); s != "" {
		return w.Inline(s)
	}
	return nil
}

// plain returns a prop as content. A string is text, not Markdown.
func (w *Writer) plain(e *ast.Element, name string) []ast.Node {
	if nodes, ok := e.Prop(name).(ast.Nodes); ok {
		return nodes
	}
	if s := e.Str(name); s != "" {
		return []ast.Node{&ast.Text{Span: propSpan(e, name), Value: s}}
	}
	return nil
}

// color returns a prop that is a colour, or "" if it is missing. It reports an invalid one.
func (w *Writer) color(e *ast.Element, name string) string {
	s := e.Str(name)
	if s == "" {
		return ""
	}
	css, ok := cssstyle.Color(s)
	if !ok {
		w.Warn(propSpan(e, name), "bad-prop", "The prop "+name+" of <"+e.Name+"> is not a colour.",
			"Write a name, #rrggbb, rgb(…) or var(--…).")
	}
	return css
}

// href returns a prop resolved as a link, or "" if it is missing or must not be written.
func (w *Writer) href(e *ast.Element, name string) string {
	s := strings.TrimSpace(e.Str(name))
	if s == "" {
		return ""
	}
	to, ok := w.Resolve(s, false, propSpan(e, name))
	if !ok {
		return ""
	}
	return to.Href
}

// outside reports whether a URL is on another site.
func outside(href string) bool {
	h := strings.ToLower(href)
	return strings.HasPrefix(h, "http://") || strings.HasPrefix(h, "https://") || strings.HasPrefix(h, "//")
}

// linkAttrs writes href and, for another site or if the author requests it, the attributes to open a new tab.
func (w *Writer) linkAttrs(href string, newTab bool) {
	w.Attr("href", href)
	if newTab || outside(href) {
		w.Raw(` target="_blank" rel="noopener"`)
	}
}
