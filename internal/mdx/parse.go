package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxDepth limits the nesting of containers, of tags, and of emphasis.
const maxDepth = 100

// Options change how a page is parsed. The zero value is the dialect without typographic punctuation.
type Options struct {
	Smart bool // typographic quotes, dashes and ellipses in text
	// Component reports whether a name is a known component. A tag with the name of a component is never treated as a
	// placeholder. nil = no component is known.
	Component func(name string) bool
}

// Parse parses a page. line is the line of the file at which body starts, from 1. Spans are byte offsets into body.
func Parse(file string, body []byte, line int) (*ast.Root, diag.List) {
	return ParseWith(Options{Smart: true}, file, body, line)
}

// ParseWith is like Parse, with options.
func ParseWith(o Options, file string, body []byte, line int) (*ast.Root, diag.List) {
	p := newParser(o, file, string(body), line)
	p.blocks()
	root := &ast.Root{Span: ast.Span{Start: 0, End: len(body)}}
	p.nest = 0
	root.Children = p.content(p.root)
	root.Children = append(root.Children, p.footnotes()...)
	if o.Smart && (strings.Contains(p.src, "<pre") || strings.Contains(p.src, "<code")) {
		p.straight(root.Children, false)
	}
	if p.dirty {
		cleanNodes(root.Children)
	}
	return root, p.finish()
}

// Inline parses markdown as the content of one paragraph: emphasis, code, links, images, strikethrough. "<", "{"
// and "$" are text.
func Inline(markdown string) []ast.Node {
	p := newParser(Options{}, "", markdown, 1)
	in := inline{p: p, plain: true,
		t: text{s: strings.TrimSpace(markdown), base: len(markdown) - len(strings.TrimLeft(markdown, " \t\r\n"))}}
	if strings.IndexByte(in.t.s, '\r') >= 0 {
		in.t.s = strings.ReplaceAll(strings.ReplaceAll(in.t.s, "\r\n", "\n"), "\r", "\n")
	}
	nodes := in.parse()
	if p.dirty {
		cleanNodes(nodes)
	}
	return nodes
}

// parser holds the state of parsing one page.
type parser struct {
	findings
	opts  Options
	src   string
	lines []line
	dirty bool // src has NUL or invalid UTF-8

	// State of block parsing.
	root   *block
	open   []*block // containers, outermost first, without the root
	leaf   *block   // the open paragraph, fence or table; nil if none
	ln     int      // index of the current line
	slab   []block  // storage from which blocks are allocated
	pieces []piece  // lines of all leaves; those of one leaf are adjacent because only one leaf is open at a time
	sealed int      // containers cannot begin up to this line
	deep   bool     // exceeding the depth limit was reported

	refs     map[string]definition
	notes    map[string]*note
	noteList []*note // in order of first reference

	budget int               // number of bytes that may still be read without a result
	broken map[int]brokenTag // the errors of tags among blocks, by offset
	closes map[string]bool   // names of all closing tags; nil until needed
	nest   int               // nesting of tags during building
	runs   []textRun         // reused by smart
	padded int               // number of cells that may still be added to fill table rows
	copied int               // number of bytes that references may still copy from definitions
}

func newParser(o Options, file, src string, firstLine int) *parser {
	p := &parser{opts: o, src: src, sealed: -1, budget: 1<<16 + 16*len(src), padded: maxPadding,
		copied: max(minCopied, 2*len(src))}
	p.dirty = needsCleaning(src)
	p.lines = splitLines(src)
	p.findings = findings{file: file, first: firstLine, src: src, lines: p.lines}
	p.root = p.newBlock(kindRoot, 0)
	return p
}

// spend subtracts n from the budget for repeated reads and reports whether some of it is left.
func (p *parser) spend(n int) bool {
	p.budget -= n
	return p.budget > 0
}
