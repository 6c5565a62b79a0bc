package render

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// page is the state of rendering one page. It is the component.Host for all components on the page.
type page struct {
	ctx       context.Context // context passed to Render
	opt       Options
	resolver  Resolver
	out       *Page
	w         *component.Writer
	file      *ast.File // source of the current content: the page, or a snippet
	list      diag.List
	notes     []*ast.Footnote
	sheet     sheet
	untitled  bool             // the next heading of level 1 is the page's h1
	depth     int              // nesting depth
	nodesLeft int              // remaining budget of nodes
	reported  map[finding]bool // findings that are already in list
	// anchors holds the reserved ids of headings.
	anchors    map[*ast.Heading][]anchor
	slots      [][]ast.Node
	shownSlots map[int]bool // slots of the current island that have been written

	pictureDepth int  // number of enclosing <picture> elements
	islandDepth  int  // number of enclosing client components
	pictured     bool // an image in the first view has been written
}

// maxFindings limits the number of findings on one page.
const maxFindings = 100

// maxDepth limits the nesting of elements. Evaluation can nest them deeper than any source does.
const maxDepth = 200

// maxNodes limits the number of written nodes. Client components can show the content passed to them many times, and
// can be nested.
const maxNodes = 1_000_000

// MaxHTML limits the HTML of one page, in bytes. A page can show the same text many times.
const MaxHTML = 64 << 20

// countNode counts a node. It returns false if rendering must stop because the page is too large or its context is
// done.
func (p *page) countNode() bool {
	if p.nodesLeft--; p.nodesLeft >= 0 && (p.w.Len() > MaxHTML || p.ctx.Err() != nil) {
		p.nodesLeft = -1
	}
	return p.nodesLeft >= 0
}

// Render implements component.Host.
func (p *page) Render(nodes []ast.Node) {
	if p.depth >= maxDepth {
		return
	}
	p.depth++
	for i, n := range nodes {
		if !p.countNode() {
			break
		}
		p.node(n)
		if e, ok := n.(*ast.Element); ok && e.Flow && i+1 < len(nodes) && nodes[i+1].Place().Start > e.End {
			p.endLine()
		}
	}
	p.depth--
}

// endLine separates elements that are on separate lines in the source, so that <b>a</b> and <b>b</b> on the next line
// are two words.
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
	return withoutLinks(mdx.Inline(markdown))
}

// withoutLinks replaces links with their text. Titles are already inside a link.
func withoutLinks(nodes []ast.Node) []ast.Node {
	out := make([]ast.Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Link:
			out = append(out, withoutLinks(n.Children)...)
		case ast.Parent:
			out = append(out, ast.WithChildren(n, withoutLinks(*n.List())))
		default:
			out = append(out, n)
		}
	}
	return out
}

// Resolve implements component.Host.
func (p *page) Resolve(dest string, image bool, at ast.Span) (component.Address, bool) {
	return p.resolver.Resolve(Ref{Dest: dest, Image: image, file: p.file, at: at.Start})
}

// Warn implements component.Host.
func (p *page) Warn(at ast.Span, code, message, hint string) {
	if len(p.list) >= maxFindings {
		return
	}
	f := finding{p.file, at.Start, code, message}
	if p.reported[f] { // already reported for a snippet or other content that is shown twice
		return
	}
	if p.reported == nil {
		p.reported = map[finding]bool{}
	}
	p.reported[f] = true
	p.list.Warnf(p.file.Pos(at.Start), code, "%s", message)
	p.list.Hint(hint)
}

// finding identifies a finding, so that it is reported only once.
type finding struct {
	file          *ast.File
	at            int
	code, message string
}

// Outline implements component.Host.
func (p *page) Outline(level int, id, text string) {
	p.out.Headings = append(p.out.Headings, Heading{
		Level: level, ID: id, Text: text, Folded: p.w.Folded > 0,
	})
}

// setLead sets the lead to the first paragraph of the page itself. Paragraphs from included files do not count.
func (p *page) setLead(nodes []ast.Node) {
	for _, n := range nodes {
		if para, ok := n.(*ast.Paragraph); ok {
			if p.out.Lead = clip.Words(collapseSpace(ast.PlainText(para.Children)), leadMax); p.out.Lead != "" {
				return
			}
		}
	}
}

// collapseSpace replaces each run of white space with a single space.
func collapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }
