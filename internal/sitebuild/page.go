package sitebuild

import (
	"bytes"
	"context"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/apipage"
	"github.com/lectern-docs/lectern/internal/asset"
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/expand"
	"github.com/lectern-docs/lectern/internal/layout"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/scan"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/slug"
	"github.com/lectern-docs/lectern/internal/utility"
)

// pageDiagMax bounds the findings kept of one page.
const pageDiagMax = 50

// result is one page, done.
type result struct {
	page   *site.Page
	html   []byte // nil when the page failed and is not shown
	failed bool
	drawn  bool // it has diagrams
	twin   []byte
	parts  []asset.Part // what the page needs beside the theme
	sum    entry
	list   diag.List
}

// entry is what is kept of a page when its HTML is gone. It must stay small: there is one for each page of the site.
type entry struct {
	page *site.Page
	lead string   // at most 300 characters
	ids  []uint64 // hashes of heading ids
	refs []anchorRef
	open bool // the page may have places that ids does not list
}

// anchorRef is a reference to a place on a page, to be checked when all pages are known.
type anchorRef struct {
	page string
	id   string
	pos  diag.Pos
}

// one renders a page as it stands at out. It touches nothing shared, so pages run in parallel.
func (b *builder) one(p *site.Page, out string) result {
	r := result{page: p, sum: entry{page: p}}
	src, list := scan.ReadSource(b.src, p)
	if list != nil {
		r.list = list
		return b.broken(r, out)
	}
	file := &ast.File{Name: p.File, Body: src.Body, Line: src.BodyLine}
	if p.File == "" && p.API != nil {
		file = &ast.File{Name: p.API.Spec, Body: []byte(apipage.Content(p, b.specs))}
	}
	expanded, list := b.expand.Page(file)
	if r.list = few(list); r.list.HasErrors() {
		return b.broken(r, out)
	}
	v := &view{From: b.table.From(p.Path, out), sum: &r.sum, list: &r.list}
	source := render.Source{File: expanded.File, Nodes: expanded.Nodes, DropTitle: p.TitleInBody}
	api := b.api(p, expanded.Nodes)
	if api != nil {
		source.Before, source.After = api.Head, api.Body
	}
	rendered, list, err := b.render.Render(source, v)
	if err != nil {
		r.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return b.broken(r, out)
	}
	r.list = few(append(r.list, list...))
	frame := layout.Page{
		Page: p, HTML: rendered.HTML, Side: rendered.Side, Lead: rendered.Lead, Canonical: b.canonical(p), Twin: link.Twin(p.Path), Links: v,
		Outline: make([]layout.Heading, len(rendered.Headings)),
	}
	for i, h := range rendered.Headings {
		frame.Outline[i] = layout.Heading{Level: h.Level, ID: h.ID, Text: h.Text}
	}
	if err := b.needs(&r, &frame, rendered, expanded); err != nil {
		r.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return b.broken(r, out)
	}
	r.sum.lead, r.sum.open = strings.Clone(rendered.Lead), rendered.Islands
	for _, id := range rendered.IDs {
		r.sum.ids = append(r.sum.ids, hash(id))
	}
	r.html, r.drawn = b.frame.Render(frame), rendered.Mermaid
	r.twin = twin(p, file.Body)
	if api != nil {
		r.twin = append(r.twin, api.Twin()...)
	}
	return r
}

// api is the part of a page that its API description makes; nil for pages without one.
func (b *builder) api(p *site.Page, nodes []ast.Node) *apipage.Page {
	if p.API == nil {
		return nil
	}
	in := apipage.Input{Page: p, Specs: b.specs, Look: b.site.API}
	ast.Walk(nodes, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok {
			in.OwnRequest = in.OwnRequest || e.Name == "RequestExample"
			in.OwnResponse = in.OwnResponse || e.Name == "ResponseExample"
		}
		return true
	})
	return apipage.New(in)
}

// few keeps the findings of one page few; errors come first.
func few(list diag.List) diag.List {
	if len(list) <= pageDiagMax {
		return list
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return strings.Compare(string(a.Severity), string(b.Severity)) })
	return list[:pageDiagMax]
}

// needs finds what the page uses beside the theme: utility classes, formulas, diagrams, client components.
func (b *builder) needs(r *result, frame *layout.Page, p *render.Page, e *expand.Page) error {
	classes := p.Classes
	for _, c := range e.Client {
		classes = append(classes, utility.Candidates(string(c.Script))...)
	}
	if css := append(b.utility.CSS(classes), p.Style...); len(css) > 0 {
		part := asset.NewPart(path.Join(asset.Folder, "page.css"), css)
		r.parts = append(r.parts, part)
		frame.Sheets = append(frame.Sheets, part.Path)
	}
	for _, need := range []struct {
		used bool
		load func() (asset.Part, error)
		to   *[]string
	}{{p.Math, b.tools.formulas, &frame.Sheets}, {p.Mermaid, b.tools.diagrams, nil}, {p.Islands, b.tools.islands, &frame.Scripts}} {
		if !need.used {
			continue
		}
		part, err := need.load()
		if err != nil {
			return err
		}
		r.parts = append(r.parts, part)
		if need.to != nil {
			*need.to = append(*need.to, part.Path)
		} else {
			frame.Mermaid = part.Path
		}
	}
	for _, c := range e.Client {
		part := asset.NewPart(path.Join(asset.Folder, "island", slug.Heading(c.Unit)+".js"), c.Script)
		r.parts = append(r.parts, part)
		frame.Scripts = append(frame.Scripts, part.Path)
	}
	return nil
}

// broken ends a page with errors. Where a reader would rather see them than nothing, the page shows them.
func (b *builder) broken(r result, out string) result {
	r.failed = true
	if b.opt.ErrorPages {
		v := &view{From: b.table.From(r.page.Path, out), sum: &entry{}, list: &diag.List{}}
		r.html = b.frame.Broken(layout.Page{Page: r.page, Canonical: b.canonical(r.page), Links: v}, r.list)
	}
	return r
}

// hash stands for a heading id in a summary.
func hash(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // a hash never fails
	return h.Sum64()
}

// canonical is the page's one public address; an author may name another.
func (b *builder) canonical(p *site.Page) string {
	if p.Canonical != "" && link.Safe(p.Canonical) {
		return p.Canonical
	}
	return b.table.Canonical(p.Path)
}

// twin is the page's Markdown form: its title and description, then the body as it was written.
func twin(p *site.Page, body []byte) []byte {
	var out bytes.Buffer
	if !p.TitleInBody {
		out.WriteString("# " + p.Title + "\n\n")
	}
	if p.Description != "" {
		out.WriteString("> " + p.Description + "\n\n")
	}
	out.Write(bytes.TrimLeft(body, "\r\n"))
	return out.Bytes()
}

// view is how one page sees the site: it answers the render room and the layout room, and notes what is wrong with references.
type view struct {
	link.From
	sum  *entry
	list *diag.List
}

// Resolve implements render.Resolver.
func (v *view) Resolve(ref render.Ref) (string, bool) {
	t := v.From.Resolve(ref.Dest)
	switch t.Kind {
	case link.Unsafe:
		v.warn(ref.Pos(), "unsafe-link", "The address %q is of a kind that pages must not lead to, and is left out.", ref.Dest)
		return "", false
	case link.Broken:
		if ref.Image {
			v.warn(ref.Pos(), "broken-image", "There is no file %q.", ref.Dest)
		} else {
			v.warn(ref.Pos(), "broken-link", "There is no page or file %q.", ref.Dest)
		}
	case link.ToPage, link.ToAnchor:
		v.anchor(t, ref)
	}
	return t.Href, true
}

// anchor notes a reference to a place on a page, once for each place.
func (v *view) anchor(t link.Target, ref render.Ref) {
	known := func(r anchorRef) bool { return r.page == t.Page && r.id == t.Anchor }
	if t.Anchor == "" || len(v.sum.refs) >= pageDiagMax || slices.ContainsFunc(v.sum.refs, known) {
		return
	}
	v.sum.refs = append(v.sum.refs, anchorRef{page: t.Page, id: strings.Clone(t.Anchor), pos: ref.Pos()})
}

func (v *view) warn(pos diag.Pos, code, format string, dest string) {
	if len(*v.list) >= pageDiagMax {
		return
	}
	if len(dest) > 200 {
		dest = strings.ToValidUTF8(dest[:200], "") + "…"
	}
	v.list.Warnf(pos, code, format, dest)
}

// Address implements layout.Links for addresses of the site file. The unusable are left out.
func (v *view) Address(ref string) string {
	if ref == "" {
		return ""
	}
	ref = rooted(ref)
	t := v.From.Resolve(ref)
	if t.Kind == link.Broken && path.Ext(ref) != "" {
		return "" // a missing image is worse than none
	}
	return t.Href
}

// rooted ties an address of the site file to the root of the site, on whatever page it is shown.
func rooted(ref string) string {
	if ref == "" || strings.HasPrefix(ref, "/") || strings.HasPrefix(ref, "#") || strings.Contains(ref, ":") {
		return ref
	}
	return "/" + ref
}

// unread shows, where broken pages are shown, those whose head could not even be read.
func (b *builder) unread(ctx context.Context) error {
	if !b.opt.ErrorPages || b.opt.Paths != nil {
		return nil
	}
	for _, p := range b.site.Failed {
		var list diag.List
		for _, d := range b.report.Diagnostics {
			if slug.Page(d.File) == p {
				list = append(list, d)
			}
		}
		r := b.broken(result{page: &site.Page{Path: p, Title: slug.Words(p)}, list: list}, p)
		if err := b.putPage(ctx, link.File(p), r); err != nil {
			return err
		}
	}
	return nil
}
