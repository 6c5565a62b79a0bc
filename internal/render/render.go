package render

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/highlight"
)

// Resolver resolves every URL on a page. ok is false if the URL must not be written.
type Resolver interface {
	Resolve(ref Ref) (to component.Address, ok bool)
}

// Ref is a reference as the author wrote it.
type Ref struct {
	Dest  string
	Image bool
	file  *ast.File
	at    int
}

// Pos returns the position of the reference. It is computed on demand because only findings need it.
func (r Ref) Pos() diag.Pos {
	if r.file == nil {
		return diag.Pos{}
	}
	return r.file.Pos(r.at)
}

// Math typesets formulas.
type Math interface {
	Render(tex string, block bool) (html []byte, err error)
}

// Options are the settings that all pages of a site share.
type Options struct {
	Icons component.IconWriter
	Code  *highlight.Highlighter
	Math  Math
	// Class returns the declarations of a class, as "name:value;…", if the platform defines the class. nil means that
	// the platform defines no classes.
	Class func(class string) (css string, ok bool)
}

// Source is the input of Render.
type Source struct {
	File      *ast.File
	Nodes     []ast.Node
	DropTitle bool                      // remove the first heading if it is the page's title, which the layout shows
	OwnTitle  bool                      // the layout shows no title, so the first level 1 heading is the page's h1
	Before    func(w *component.Writer) // writes platform content before the body; nil = nothing
	After     func(w *component.Writer) // writes platform content after the body; nil = nothing
}

// Heading is an entry in the page's outline.
type Heading struct {
	Level  int // 2 to 6
	ID     string
	Text   string
	Folded bool // in a part that is initially collapsed
}

// Page is a rendered page.
type Page struct {
	HTML     []byte
	Side     []byte // the panel next to the body; empty if the page has none
	Headings []Heading
	IDs      []string // all ids on the page, sorted
	Classes  []string // class names from the author, sorted
	Style    []byte   // style sheet rules from style attributes and <style> elements
	Lead     string   // the first paragraph as plain text, at most leadMax characters
	Math     bool     // the page contains formulas
	Mermaid  bool     // the page contains diagrams
	Islands  bool     // the page contains client components
}

const leadMax = 300

// Renderer renders pages. It is safe for concurrent use.
type Renderer struct {
	opt     Options
	buffers sync.Pool // *htmlbuf.Buffer for reuse; results are copied out at their exact size
}

// New returns a Renderer.
func New(opt Options) *Renderer { return &Renderer{opt: opt} }

// Render renders one page. It converts a panic to an error, so that a single page cannot make the whole build fail. If
// ctx is cancelled, rendering stops early and the caller must discard the result.
func (r *Renderer) Render(ctx context.Context, src Source, res Resolver) (out *Page, list diag.List, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("render page: %v", p)
		}
	}()
	p := &page{ctx: ctx, opt: r.opt, resolver: res, out: &Page{}, file: src.File, nodesLeft: maxNodes,
		anchors: map[*ast.Heading][]anchor{}}
	body, ok := r.buffers.Get().(*htmlbuf.Buffer)
	if !ok {
		body = &htmlbuf.Buffer{}
	}
	body.Reset()
	p.w = &component.Writer{
		Buffer: body, Side: &htmlbuf.Buffer{}, Host: p, Icons: r.opt.Icons, Highlight: r.opt.Code,
		IDs: &slug.Set{}, Classes: map[string]bool{}, Inside: map[string]int{},
	}
	p.w.Markdown, p.w.Math = mdx.Inline, p.formula
	p.w.Grow(2 * len(src.File.Body))
	nodes := src.Nodes
	p.untitled = src.OwnTitle
	if src.DropTitle && !src.OwnTitle {
		nodes = withoutTitle(nodes)
	}
	p.setLead(nodes)
	p.reserveIDs(nodes, 0)
	if src.Before != nil {
		src.Before(p.w)
	}
	p.Render(nodes)
	p.footnotes()
	if src.After != nil {
		src.After(p.w)
	}
	if p.nodesLeft < 0 {
		p.Warn(ast.Span{}, "page-too-large", "The page has more than "+strconv.Itoa(maxNodes)+" pieces of content or "+
			strconv.Itoa(MaxHTML>>20)+" MB of HTML; the rest is not shown.", "Split the page.")
	}
	p.out.HTML, p.out.Side = p.sheet.extractStyles(body.Bytes()), p.sheet.extractStyles(p.w.Side.Bytes())
	r.buffers.Put(body)
	p.out.Style = append(p.sheet.out.Bytes(), p.sheet.own.Bytes()...)
	p.out.Mermaid = p.w.Mermaid
	p.out.IDs = p.w.IDs.All()
	for c := range p.w.Classes {
		p.out.Classes = append(p.out.Classes, c)
	}
	slices.Sort(p.out.Classes)
	return p.out, p.list, nil
}

// withoutTitle removes the first heading if it is the page's title.
func withoutTitle(nodes []ast.Node) []ast.Node {
	for i, n := range nodes {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			return slices.Concat(nodes[:i], nodes[i+1:])
		}
		if _, blank := n.(*ast.Text); !blank {
			break
		}
	}
	return nodes
}
