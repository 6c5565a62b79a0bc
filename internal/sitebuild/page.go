package sitebuild

import (
	"context"
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/apipage"
	"github.com/lectern-docs/lectern/internal/asset"
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/expand"
	"github.com/lectern-docs/lectern/internal/layout"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/scan"
	"github.com/lectern-docs/lectern/internal/searchindex"
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
	twin   []byte
	card   []byte       // nil: none
	index  string       // address of the list of pages in twin; "" = none
	feed   []byte       // nil when it has none
	parts  []asset.Part // what the page needs beside the theme
	sum    entry
	list   diag.List
	words  *searchindex.Prepared // nil when readers must not find it
}

// entry is what is kept of a page when its HTML is gone. It must stay small: there is one for each page of the site.
type entry struct {
	page *site.Page
	lead string   // at most 300 characters
	ids  []uint64 // hashes of heading ids
	refs []anchorRef
	open bool // the page may have places that ids does not list

	twin     outtree.Piece // its Markdown form, for lists that hold it
	modified time.Time     // zero = unknown
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
	src, list := scan.ReadSource(unwatched(b.src), p)
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
	v := &view{From: b.table.From(p.Path, out), sum: &r.sum, list: &r.list, sizes: b.sizes}
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
	b.drawCard(&r, &frame, out)
	frame.Banner, list = b.banner(p, v)
	r.list = few(append(r.list, list...))
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
	r.sum.modified = b.modified(p)
	frame.Spec = b.specFile(p)
	frame.Modified, frame.Feed, frame.Graph = r.sum.modified, feedFile(p), b.graph(&r, frame.Card)
	r.html = b.frame.Render(frame)
	r.words = b.words(p, rendered)
	b.forms(&r, v, src.Raw, expanded, rendered, api)
	return r
}

// api is the part of a page that its API description makes; nil for pages without one.
func (b *builder) api(p *site.Page, nodes []ast.Node) *apipage.Page {
	if p.API == nil {
		return nil
	}
	in := apipage.Input{Page: p, Specs: b.specs, Look: b.site.API, FullSchema: b.site.FullSchema}
	ast.Walk(nodes, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok {
			in.OwnRequest = in.OwnRequest || e.Name == "RequestExample"
			in.OwnResponse = in.OwnResponse || e.Name == "ResponseExample"
		}
		return true
	})
	return apipage.New(in)
}

// specFile is the path of the API description behind a page, when it is a file of the site; "" otherwise.
func (b *builder) specFile(p *site.Page) string {
	if p.API == nil {
		return ""
	}
	name := strings.TrimPrefix(p.API.Spec, "/")
	if !b.own(name) {
		return ""
	}
	return name
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
	}{{p.Math && !b.site.Styling.NoMath, b.tools.formulas, &frame.Sheets}, {p.Mermaid, b.tools.diagrams, nil}, {p.Islands, b.tools.islands, &frame.Scripts}} {
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
		v := &view{From: b.table.From(r.page.Path, out), sum: &entry{}, list: &diag.List{}, sizes: b.sizes}
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
		if err := b.put(ctx, link.File(p), r.html); err != nil {
			return err
		}
	}
	return nil
}
