package render

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// page is the work on one page. It is the component.Host of everything on it.
type page struct {
	ctx   context.Context // of the one call of Render that made the page
	opt   Options
	res   Resolver
	out   *Page
	w     *component.Writer
	file  *ast.File // where the content at hand was written: the page, or a snippet
	list  diag.List
	notes []*ast.Footnote
	sheet sheet
	depth int              // elements around
	left  int              // nodes that may still be written
	known map[finding]bool // those in list
	// anchors are the ids of headings, found before the page is written.
	anchors map[*ast.Heading][]anchor
	slots   [][]ast.Node
	shown   map[int]bool // slots of the island at hand that were shown

	pictures int // <picture> elements around
}

// maxFindings bounds what is kept of one page's findings.
const maxFindings = 100

// maxDepth bounds elements inside elements, which evaluation can nest deeper than any source.
const maxDepth = 200

// maxNodes bounds what is written: content passed to client components can show many times, inside each other.
const maxNodes = 1_000_000

// MaxHTML bounds the HTML of one page, in bytes: a text of an author can show many times.
const MaxHTML = 64 << 20

// spend counts a node. It is false when the page is to stop: it has too many, or nobody waits for it any more.
func (p *page) spend() bool {
	if p.left--; p.left >= 0 && (p.w.Len() > MaxHTML || p.ctx.Err() != nil) {
		p.left = -1
	}
	return p.left >= 0
}

// Render implements component.Host.
func (p *page) Render(nodes []ast.Node) {
	if p.depth >= maxDepth {
		return
	}
	p.depth++
	for i, n := range nodes {
		if !p.spend() {
			break
		}
		p.node(n)
		if e, ok := n.(*ast.Element); ok && e.Flow && i+1 < len(nodes) && nodes[i+1].Place().Start > e.End {
			p.endLine()
		}
	}
	p.depth--
}

// endLine keeps apart what the source has on lines of their own: <b>a</b> and <b>b</b> below it are two words.
func (p *page) endLine() {
	if html := p.w.Bytes(); len(html) > 0 && html[len(html)-1] != '\n' {
		p.w.Raw("\n")
	}
}

// Inline implements component.Host.
func (p *page) Inline(markdown string) []ast.Node {
	if !strings.ContainsAny(markdown, "`*_~[\\&") {
		return []ast.Node{&ast.Text{Value: markdown}}
	}
	return unlinked(mdx.Inline(markdown))
}

// unlinked puts the text of links in their place: titles stand inside links already.
func unlinked(nodes []ast.Node) []ast.Node {
	out := make([]ast.Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Link:
			out = append(out, unlinked(n.Children)...)
		case ast.Parent:
			out = append(out, ast.WithChildren(n, unlinked(*n.List())))
		default:
			out = append(out, n)
		}
	}
	return out
}

// Resolve implements component.Host.
func (p *page) Resolve(dest string, image bool, at ast.Span) (component.Address, bool) {
	return p.res.Resolve(Ref{Dest: dest, Image: image, file: p.file, at: at.Start})
}

// Warn implements component.Host.
func (p *page) Warn(at ast.Span, code, message, hint string) {
	if len(p.list) >= maxFindings {
		return
	}
	f := finding{p.file, at.Start, code, message}
	if p.known[f] { // a snippet, or content that shows twice
		return
	}
	if p.known == nil {
		p.known = map[finding]bool{}
	}
	p.known[f] = true
	p.list.Warnf(p.file.Pos(at.Start), code, "%s", message)
	p.list.Hint(hint)
}

// finding is what makes a finding the same as another.
type finding struct {
	file          *ast.File
	at            int
	code, message string
}

// Outline implements component.Host.
func (p *page) Outline(level int, id, text string) {
	p.out.Headings = append(p.out.Headings, Heading{Level: level, ID: id, Text: text})
}

// lead is the first paragraph of the page itself.
func (p *page) lead(nodes []ast.Node) {
	for _, n := range nodes {
		if para, ok := n.(*ast.Paragraph); ok {
			if p.out.Lead = shorten(words(ast.PlainText(para.Children)), leadMax); p.out.Lead != "" {
				return
			}
		}
	}
}

// words is text with its white space made single.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// shorten cuts text to at most n characters, at a word.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	cut := string([]rune(text)[:n-1])
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
