package component

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// sheet is a minimal Host: it renders the node types that the tests use and records the calls that components make.
type sheet struct {
	w        *Writer
	warnings []string // "code: message"
	outline  []string // "level id text"
}

func newSheet() *sheet {
	s := &sheet{}
	s.w = &Writer{Buffer: &htmlbuf.Buffer{}, Host: s, IDs: &slug.Set{}, Icons: squares{}, Side: &htmlbuf.Buffer{},
		Inside: map[string]int{}}
	return s
}

// squares is an icon library that contains every name except "none".
type squares struct{}

func (squares) WriteIcon(b *htmlbuf.Buffer, name, style string) bool {
	if name == "none" {
		return false
	}
	b.Raw(`<svg`)
	b.Attr("data-name", strings.TrimSpace(name+" "+style))
	b.Raw(` viewBox="0 0 16 16"><rect x="2" y="2" width="12" height="12" rx="3"/></svg>`)
	return true
}

func (s *sheet) Warn(_ ast.Span, code, message, _ string) {
	s.warnings = append(s.warnings, code+": "+message)
}

func (s *sheet) Outline(level int, id, text string) {
	s.outline = append(s.outline, fmt.Sprintf("%d %s %s", level, id, text))
}

func (s *sheet) Resolve(dest string, _ bool, _ ast.Span) (Address, bool) {
	if strings.HasPrefix(strings.ToLower(dest), "javascript:") {
		return Address{}, false
	}
	return Address{Href: dest}, true
}

var inlineMark = regexp.MustCompile("`([^`]+)`|\\*\\*([^*]+)\\*\\*")

// Inline parses `code` and **strong**.
func (s *sheet) Inline(text string) []ast.Node {
	var nodes []ast.Node
	at := 0
	for _, m := range inlineMark.FindAllStringSubmatchIndex(text, -1) {
		nodes = append(nodes, say(text[at:m[0]]))
		if m[2] >= 0 {
			nodes = append(nodes, &ast.CodeSpan{Value: text[m[2]:m[3]]})
		} else {
			nodes = append(nodes, &ast.Strong{Children: ast.Children{say(text[m[4]:m[5]])}})
		}
		at = m[1]
	}
	return append(nodes, say(text[at:]))
}

func (s *sheet) Render(nodes []ast.Node) {
	for _, n := range nodes {
		s.node(n)
	}
}

func (s *sheet) node(n ast.Node) {
	wrap := func(tag string, children []ast.Node) {
		s.w.Raw("<")
		s.w.Name(tag)
		s.w.Raw(">")
		s.Render(children)
		s.w.Raw("</")
		s.w.Name(tag)
		s.w.Raw(">")
	}
	switch n := n.(type) {
	case *ast.Text:
		s.w.Text(n.Value)
	case *ast.CodeSpan:
		wrap("code", []ast.Node{say(n.Value)})
	case *ast.Strong:
		wrap("strong", n.Children)
	case *ast.Paragraph:
		wrap("p", n.Children)
	case *ast.Heading:
		wrap(fmt.Sprintf("h%d", n.Level), n.Children)
	case *ast.Included:
		s.Render(n.Children)
	case *ast.Code:
		b := ParseMeta(n.Lang, n.Meta)
		b.Text = n.Text
		WriteCode(s.w, b)
	case *ast.List:
		wrap("ul", n.Children)
	case *ast.Item:
		wrap("li", n.Children)
	case *ast.Math:
		s.w.Raw("[block ")
		s.w.Text(n.Text)
		s.w.Raw("]")
	case *ast.Link:
		s.w.Raw("<a")
		s.w.Attr("href", n.URL)
		s.w.Raw(">")
		s.Render(n.Children)
		s.w.Raw("</a>")
	case *ast.Element:
		s.element(n)
	default:
		panic(fmt.Sprintf("the test page cannot draw a %T", n))
	}
}

func (s *sheet) element(e *ast.Element) {
	if c, ok := Find(e.Name); ok {
		Check(c, e, s.Warn)
		c.Render(s.w, e)
		return
	}
	if e.Name == "" {
		s.Render(e.Children)
		return
	}
	s.w.Raw("<")
	s.w.Name(e.Name)
	for _, p := range e.Props {
		s.w.NamedAttr(p.Name, ast.String(p.Value))
	}
	s.w.Raw(">")
	if e.Name == "img" {
		return
	}
	s.Render(e.Children)
	s.w.Raw("</")
	s.w.Name(e.Name)
	s.w.Raw(">")
}

func say(s string) *ast.Text { return &ast.Text{Value: s} }

func para(nodes ...ast.Node) *ast.Paragraph { return &ast.Paragraph{Children: nodes} }

// props are pairs of a name and a value.
type props []any

// tag returns an element: <name props…>children</name>.
func tag(name string, p props, children ...ast.Node) *ast.Element {
	e := &ast.Element{Name: name, Flow: true, Children: children}
	for i := 0; i < len(p); i += 2 {
		v := p[i+1]
		if n, ok := v.(int); ok {
			v = float64(n)
		}
		e.Props = append(e.Props, ast.Prop{Name: p[i].(string), Value: v})
	}
	return e
}

// draw renders nodes on a new page.
func draw(t *testing.T, nodes ...ast.Node) (html string, s *sheet) {
	t.Helper()
	s = newSheet()
	s.Render(nodes)
	if len(s.w.groups) != 0 {
		t.Errorf("%d groups are still open", len(s.w.groups))
	}
	return withoutContract(string(s.w.Bytes())), s
}

var (
	contractAttribute = regexp.MustCompile(` data-(?:badge|color|size|callout-type|component-(?:part|name))="[^"]*"`)
	contractClass     = regexp.MustCompile(
		`(class="[^"]*?) ?\b(?:code-block|code-block-icon|code-group|tabs|tab-icon|card-group|color|color-row|color-item)([ "])`)
)

// withoutContract removes the names that are in the HTML only for authors' style sheets and scripts; package contract
// has its own tests.
func withoutContract(html string) string {
	html = contractAttribute.ReplaceAllString(html, "")
	html = strings.ReplaceAll(html, `<pre class="shiki"`, "<pre")
	for contractClass.MatchString(html) {
		html = contractClass.ReplaceAllString(html, "$1$2")
	}
	return strings.ReplaceAll(html, `class=" `, `class="`)
}

// wants checks that html contains all pieces, in order.
func wants(t *testing.T, html string, pieces ...string) {
	t.Helper()
	rest := html
	for _, p := range pieces {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Fatalf("no %q (in this order) in\n%s", p, html)
		}
		rest = rest[i+len(p):]
	}
}

func refuses(t *testing.T, html string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if strings.Contains(html, p) {
			t.Errorf("%q must not be in\n%s", p, html)
		}
	}
}
