package build

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/render/tailwind"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// content is the rendered body of a page, before the layout is applied. It does not depend on navigation, on titles of
// other pages or on the theme.
type content struct {
	html, side []byte
	lead       string
	headings   []layout.Heading
	ids        []uint64 // hashes of all ids
	refs       []anchorRef
	extras     extras
	twin       payload
	feed       []byte // nil when it has none
	list       diag.List
	deps       dependencies
	id         [sha256.Size]byte // digest of the encoded content; zero when it is not cached
	fresh      bool              // rendered in this build, not loaded from the cache
}

// extras lists what a page loads beyond the theme.
type extras struct {
	sheet                  []byte // rules for its own classes and styles
	math, mermaid, islands bool
	play                   bool // readers can call the operation that the page describes
	clients                []expand.Client
}

// renderContent renders the body of a page for the location v. ok is false when the page has errors; then only its
// findings are set.
func (b *builder) renderContent(ctx context.Context, p *site.Page, src load.Source, v *view) (c *content, ok bool) {
	c = &content{fresh: true}
	sum := &pageAnchors{}
	v.anchors, v.list, v.deps = sum, &c.list, &c.deps
	file := &ast.File{Name: p.File, Body: src.Body, Line: src.BodyLine}
	if p.File == "" && p.API != nil {
		file = &ast.File{Name: p.API.Spec, Body: []byte(apipage.Content(p, b.src.specs))}
	}
	expanded, list := b.expand.Page(ctx, file)
	if c.list = limitFindings(list); c.list.HasErrors() {
		return c, false
	}
	c.deps.addExpanded(b, expanded)
	source := render.Source{File: expanded.File, Nodes: expanded.Nodes, DropTitle: p.TitleInBody}
	api := b.api(ctx, p, expanded.Nodes, v)
	if api != nil {
		source.Before, source.After = api.Head, api.Body
	}
	rendered, list, err := b.render.Render(ctx, source, v)
	if err != nil {
		c.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return c, false
	}
	c.list = limitFindings(append(c.list, list...))
	c.html, c.side, c.lead, c.refs = rendered.HTML, rendered.Side, strings.Clone(rendered.Lead), sum.refs
	if c.lead == "" && api != nil {
		c.lead = api.Lead()
	}
	c.headings = make([]layout.Heading, len(rendered.Headings))
	for i, h := range rendered.Headings {
		c.headings[i] = layout.Heading{Level: h.Level, ID: h.ID, Text: h.Text}
	}
	c.ids = make([]uint64, len(rendered.IDs))
	for i, id := range rendered.IDs {
		c.ids[i] = hashID(id)
	}
	c.extras = b.extras(rendered, expanded)
	c.extras.play = api != nil && api.Playable()
	if slices.ContainsFunc(rendered.Classes, tailwind.Themed) || len(expanded.Client) > 0 {
		c.deps.colors = b.colorsDigest()
	}
	b.forms(c, p, v, src.Raw, expanded, rendered, api)
	return c, ctx.Err() == nil // after a cancellation parts may be missing
}

// extras collects what the page uses beyond the theme: utility classes, formulas, diagrams, client components.
func (b *builder) extras(p *render.Page, e *expand.Page) extras {
	classes := p.Classes
	for _, c := range e.Client {
		classes = append(classes, tailwind.Candidates(string(c.Script))...)
	}
	return extras{
		sheet: append(b.utility.CSS(classes), p.Style...), math: p.Math && !b.src.site.Styling.NoMath, mermaid: p.Mermaid, islands: p.Islands, clients: e.Client,
	}
}

// api returns the part of a page that comes from its API description; nil for pages without one.
func (b *builder) api(ctx context.Context, p *site.Page, nodes []ast.Node, v *view) *apipage.Page {
	if p.API == nil {
		return nil
	}
	in := b.apiInput(p)
	in.ProxyURL, in.Own = v.From.File(strings.TrimPrefix(capability.ProxyPath, "/")), nodes
	ast.Walk(nodes, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok {
			in.OwnRequest = in.OwnRequest || e.Name == "RequestExample"
			in.OwnResponse = in.OwnResponse || e.Name == "ResponseExample"
		}
		return true
	})
	return apipage.New(ctx, in)
}

// encode serializes the content for the cache. The Markdown form is stored separately, under its digest.
func (c *content) encode() []byte {
	w := &recordWriter{out: make([]byte, 0, len(c.html)+len(c.side)+1024)}
	c.deps.write(w, true)
	w.bytes(c.html)
	w.bytes(c.side)
	w.text(c.lead)
	w.number(len(c.headings))
	for _, h := range c.headings {
		w.number(h.Level)
		w.text(h.ID)
		w.text(h.Text)
	}
	writeAnchors(w, c.ids, c.refs)
	c.extras.write(w)
	w.sum(c.twin.packed.SHA256)
	w.flags(c.feed != nil)
	w.bytes(c.feed)
	w.findings(c.list)
	return w.out
}

// decodeContent reads what encode wrote. ok is false when a dependency has changed or the record is damaged.
func (b *builder) decodeContent(data []byte, v *view) (c *content, ok bool) {
	c = &content{id: sha256.Sum256(data)}
	r := &recordReader{in: data}
	if !b.dependenciesUnchanged(r, v, &c.deps) {
		return nil, false
	}
	c.html, c.side, c.lead = r.bytes(), r.bytes(), r.text()
	for range r.count() {
		c.headings = append(c.headings, layout.Heading{Level: r.number(), ID: r.text(), Text: r.text()})
	}
	c.ids, c.refs = readAnchorRecord(r)
	c.extras.read(r)
	twin, fed := r.sum(), false
	r.flags(&fed)
	if feed := r.bytes(); fed {
		c.feed = slices.Clip(feed)
	}
	c.list = r.findings()
	if !r.end() {
		return nil, false
	}
	c.twin, ok = b.docs.load(twin)
	return c, ok
}

func writeAnchors(w *recordWriter, ids []uint64, refs []anchorRef) {
	w.number(len(ids))
	for _, id := range ids {
		w.fixed(id)
	}
	w.number(len(refs))
	for _, r := range refs {
		w.text(r.page)
		w.text(r.id)
		w.pos(r.pos)
	}
}

func readAnchorRecord(r *recordReader) (ids []uint64, refs []anchorRef) {
	if n := r.count(); n > 0 {
		ids = make([]uint64, 0, n)
		for range n {
			ids = append(ids, r.fixed())
		}
	}
	for range r.count() {
		refs = append(refs, anchorRef{page: r.text(), id: r.text(), pos: r.pos()})
	}
	return ids, refs
}

func (e *extras) write(w *recordWriter) {
	w.bytes(e.sheet)
	w.flags(e.math, e.mermaid, e.islands, e.play)
	w.number(len(e.clients))
	for _, c := range e.clients {
		w.text(c.Unit)
		w.bytes(c.Script)
	}
}

func (e *extras) read(r *recordReader) {
	e.sheet = r.bytes()
	r.flags(&e.math, &e.mermaid, &e.islands, &e.play)
	for range r.count() {
		e.clients = append(e.clients, expand.Client{Unit: r.text(), Script: r.bytes()})
	}
}
