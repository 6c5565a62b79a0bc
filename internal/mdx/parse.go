package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxDepth bounds how deep containers, tags and emphasis nest, each for themselves.
const maxDepth = 100

// Options change how a page is read. The zero value is the dialect without typographic punctuation.
type Options struct {
	Smart bool // typographic quotes, dashes and ellipses in text
	// Component reports whether a name is a known component: such a tag is never treated as a placeholder. nil = none
	// are known.
	Component func(name string) bool
}

// Parse reads a page. line is the line of the file that body starts on, from 1; spans are byte offsets into body.
func Parse(file string, body []byte, line int) (*ast.Root, diag.List) {
	return ParseWith(Options{Smart: true}, file, body, line)
}

// ParseWith is Parse with options.
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

// Inline reads markdown as the inside of one paragraph: emphasis, code, links, images, strikethrough. "<", "{" and "$"
// are text.
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

// parser holds everything about one page.
type parser struct {
	findings
	opts  Options
	src   string
	lines []line
	dirty bool // src has NUL or broken UTF-8

	// Blocks.
	root   *block
	open   []*block // containers, outermost first, without the root
	leaf   *block   // the paragraph, fence or table that lines go to; nil when none
	ln     int      // index of the current line
	slab   []block  // blocks are cut from it
	pieces []piece  // lines of all leaves; a leaf's are neighbours because only one leaf is open at a time
	sealed int      // up to this line no container begins
	deep   bool     // the depth limit was reported

	refs     map[string]definition
	notes    map[string]*note
	noteList []*note // in order of first reference

	budget int               // bytes that may still be read in vain
	broken map[int]brokenTag // why the tag at an offset failed among blocks
	closes map[string]bool   // names of closing tags anywhere; nil until it is needed
	nest   int               // depth of tags while building
	runs   []textRun         // reused by smart
	padded int               // cells that tables may still be filled up with
	copied int               // bytes of definitions that may still be repeated by references
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

// spend draws on the budget for repeated reads and reports whether there was any left.
func (p *parser) spend(n int) bool {
	p.budget -= n
	return p.budget > 0
}
