package markdown

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Resolve resolves a URL on a page. ok is false if the page must not contain the URL.
type Resolve func(dest string, image bool) (href string, ok bool)

// Page is the page to write.
type Page struct {
	Title       string
	Description string
	Index       string // URL of the list of all pages; "" = none
	Nodes       []ast.Node
	DropTitle   bool // the first heading of Nodes is Title
}

// Limits for one page. They apply regardless of its source.
const (
	maxNodes = 1_000_000
	maxLooks = 20_000_000
	maxDepth = 200
	maxBytes = 16 << 20
)

// Render writes a page with its title, description and a link to the list of all pages.
func Render(p Page, resolve Resolve) []byte {
	w := newWriter(resolve)
	w.heading(1, Text(p.Title))
	if p.Description != "" {
		w.within("> ", "> ", func() { w.paragraph(Text(p.Description)) })
	}
	if p.Index != "" {
		w.paragraph(Pointer(p.Index))
	}
	nodes := p.Nodes
	if p.DropTitle {
		nodes = withoutTitle(nodes)
	}
	w.blocks(nodes)
	w.notes()
	return w.out.Bytes()
}

// Pointer returns the line with a link to the list of all pages.
func Pointer(index string) string {
	return "All pages are listed in [llms.txt](" + address(index) + ")."
}

// noteMax limits the author's note to agents, in characters. Every Markdown form contains the note.
const noteMax = 5000

// Note returns the block with the author's note to agents for Markdown forms and lists of pages, or "" if there is no
// note.
func Note(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return ""
	}
	text = clip.Runes(text, noteMax)
	var b strings.Builder
	b.WriteString("> ## Agent Instructions\n")
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight("> "+line, " \t") + "\n")
	}
	return b.String()
}

// Fragment writes a part of a page.
func Fragment(nodes []ast.Node, resolve Resolve) []byte {
	w := newWriter(resolve)
	w.blocks(nodes)
	w.notes()
	return w.out.Bytes()
}

// Line returns content as one line of Markdown. Blocks in it are flattened.
func Line(nodes []ast.Node, resolve Resolve) string {
	return oneLine(newWriter(resolve).inline(nodes, style{flat: true}))
}

func withoutTitle(nodes []ast.Node) []ast.Node {
	for i, n := range nodes {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			return slices.Concat(nodes[:i], nodes[i+1:])
		}
		if t, ok := n.(*ast.Text); !ok || strings.TrimSpace(t.Value) != "" {
			break
		}
	}
	return nodes
}
