package build

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/render/tailwind"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// content is the rendered body of a page, before the layout is applied. It does not depend on navigation, on titles
// of other pages or on the theme. contentRenderer renders it or pageCache loads it; pageLayout and wordCounter read
// it.
type content struct {
	html, side []byte
	lead       string
	headings   []layout.Heading
	ids        []uint64 // hashes of all ids
	refs       []anchorRef
	extras     extras
	twin       payload
	feed       []byte // nil if the page has no feed
	list       diag.List
	deps       dependencies
	id         [sha256.Size]byte // digest of the encoded content; zero if it is not cached
	fresh      bool              // rendered in this build, not loaded from the cache
}

// contentRenderer renders the bodies of pages: it expands a source and renders the expanded tree.
// newContentRenderer creates it before the first page. It does not change shared data, so pages can be rendered in
// parallel.
type contentRenderer struct {
	src     *source
	nav     *navigation
	addr    *addresses
	docs    *documents
	expand  *expand.Site // caches parsed snippets and compiled code; the owner of the build closes it
	render  *render.Renderer
	utility *tailwind.Generator
	play    capability.Playground
	now     time.Time // the current time for author code
	tracked bool      // each content records its dependencies, because it is cached
}

func newContentRenderer(
	src *source, opt Options, icons *icon.Set, nav *navigation, addr *addresses, docs *documents,
) *contentRenderer {
	s, fsys := src.site, src.fsys
	if opt.Cache != nil {
		fsys = src.included.wrap(fsys)
	}
	c := s.Colors
	utility := tailwind.New(tailwind.Theme{Primary: c.Primary, PrimaryLight: c.Light, PrimaryDark: c.Dark})
	return &contentRenderer{
		src: src, nav: nav, addr: addr, docs: docs, utility: utility,
		expand: expand.New(expand.Options{
			Src: fsys, Variables: s.Variables, Now: opt.Now, Platform: isPlatformComponent, Scripts: opt.Scripts,
			Workers: opt.Workers,
		}),
		render: render.New(render.Options{
			Icons: icons, Code: opt.Tools.code, Math: mathRenderer(s, opt.Tools), Class: utility.Meaning,
		}),
		play: opt.Offers.Playground, now: opt.Now, tracked: opt.Cache != nil,
	}
}

// isPlatformComponent reports whether a component belongs to the platform.
func isPlatformComponent(name string) bool {
	_, ok := component.Find(name)
	return ok
}

// renderContent renders the body of a page, with addresses relative to its location. ok is false if the page has
// errors. In that case, c only contains the findings.
func (r *contentRenderer) renderContent(
	ctx context.Context, p *site.Page, text load.Source, from link.From,
) (c *content, ok bool) {
	expanded, list := r.expandPage(ctx, p, text)
	if list = limitFindings(list); list.HasErrors() {
		return &content{list: list}, false
	}
	c = &content{fresh: true, list: list, deps: r.includedBy(expanded)}
	var anchors pageAnchors
	v := r.view(from, &anchors, &c.list, &c.deps)
	v.pause = pauseOf(ctx)
	api := r.apiPart(ctx, p, expanded.Nodes, from)
	body := render.Source{File: expanded.File, Nodes: expanded.Nodes, DropTitle: p.TitleInBody,
		OwnTitle: layout.Bare(p)}
	if api != nil {
		body.Before, body.After = api.Head, api.Body
	}
	rendered, list, err := r.render.Render(ctx, body, v)
	if err != nil {
		c.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return c, false
	}
	c.list = limitFindings(append(c.list, list...))
	c.setBody(rendered)
	c.refs, c.extras = anchors.refs, r.extrasOf(rendered, expanded)
	if api != nil {
		c.extras.play = api.Playable()
		if c.lead == "" {
			c.lead = api.Lead()
		}
	}
	if r.tracked && (slices.ContainsFunc(rendered.Classes, tailwind.Themed) || len(expanded.Client) > 0) {
		c.deps.colors = colorsDigest(r.src.site)
	}
	c.twin = r.docs.pack(r.markdown(p, text.Raw, expanded, api, v))
	if p.Feed {
		c.feed = r.feed(p, expanded, rendered, v)
	}
	return c, ctx.Err() == nil // after a cancellation, parts may be missing
}

// expandPage parses the source of a page and inserts snippets and values. A page without its own file is generated
// from its API description.
func (r *contentRenderer) expandPage(ctx context.Context, p *site.Page, text load.Source) (*expand.Page, diag.List) {
	file := &ast.File{Name: p.File, Body: text.Body, Line: text.BodyLine}
	if p.File == "" && p.API != nil {
		file = &ast.File{Name: p.API.Spec, Body: []byte(apipage.Content(p, r.src.specs))}
	}
	return r.expand.Page(ctx, file)
}

// view returns the site as seen from a page. It records references in anchors, list and deps.
func (r *contentRenderer) view(from link.From, anchors *pageAnchors, list *diag.List, deps *dependencies) *view {
	v := &view{From: from, sizes: r.addr.sizes, variants: r.addr.variants, anchors: anchors, list: list}
	if r.tracked {
		v.deps = deps
	}
	return v
}

// setBody sets the HTML of a page and the data about its content.
func (c *content) setBody(p *render.Page) {
	c.html, c.side, c.lead = p.HTML, p.Side, strings.Clone(p.Lead)
	c.headings = make([]layout.Heading, len(p.Headings))
	for i, h := range p.Headings {
		c.headings[i] = layout.Heading(h)
	}
	c.ids = make([]uint64, len(p.IDs))
	for i, id := range p.IDs {
		c.ids[i] = hashID(id)
	}
}

// apiPart returns the part of a page that comes from its API description, or nil.
func (r *contentRenderer) apiPart(ctx context.Context, p *site.Page, nodes []ast.Node, from link.From) *apipage.Page {
	if p.API == nil {
		return nil
	}
	in := apiInput(p, r.src, r.nav, r.play)
	in.ProxyURL, in.Own = from.File(strings.TrimPrefix(capability.ProxyPath, "/")), nodes
	ast.Walk(nodes, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok {
			in.OwnRequest = in.OwnRequest || e.Name == "RequestExample"
			in.OwnResponse = in.OwnResponse || e.Name == "ResponseExample"
		}
		return true
	})
	return apipage.New(ctx, in)
}
