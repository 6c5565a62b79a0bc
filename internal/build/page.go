package build

import (
	"context"
	"crypto/sha256"
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageDiagMax bounds the findings kept of one page.
const pageDiagMax = 50

// result is one page, done.
type result struct {
	page   *site.Page
	html   payload // empty when the page failed and is not shown
	failed bool
	twin   payload
	card   []byte // nil: none
	feed   []byte // nil when it has none
	extras extras
	sum    entry
	marks  marks
	list   diag.List
	words  words
}

// shown tells whether there is a document.
func (r *result) shown() bool { return r.html.data != nil || r.html.packed != nil }

// entry is what is kept of a page when its HTML is gone. It must stay small: there is one for each page of the site.
type entry struct {
	page *site.Page
	lead string // at most 300 characters; "" for a page with a description when it is done

	marks  output.Piece // its marks, put aside
	refers bool         // there are references among them
	open   bool         // the page may have places that they do not list

	twin     aside // its Markdown form, for lists that hold it
	modified int64 // in seconds since 1970; 0 = unknown
}

// one makes a page as it stands at out that cannot be reused: from what an earlier build made, as far as that still holds. It touches nothing
// shared, so pages run in parallel.
func (b *builder) one(ctx context.Context, p *site.Page, out string) result {
	modified := b.modified(p)
	r := result{page: p, sum: entry{page: p, modified: seconds(modified)}}
	src, list := load.ReadSource(unwatched(b.src), p)
	if list != nil {
		r.list = list
		return b.broken(r, out)
	}
	source := b.sourceSum(p, src)
	if scanned, known := b.scanned(p); b.cacheable(p) && (!known || source != scanned) { // else reused has looked
		if r, ok := b.findPage(p, out, source, modified); ok {
			return r
		}
	}
	v := b.view(p.Path, out)
	c, ok := b.content(ctx, p, out, src, source, v)
	if !ok {
		r.list = c.list
		return b.broken(r, out)
	}
	b.dress(ctx, &r, c, out, v, modified)
	if ctx.Err() == nil && !r.failed && b.cacheable(p) && !r.list.HasErrors() && !c.needs.unsure {
		b.keepPage(b.pageKey(p, out, source, modified), &r, c)
	}
	return r
}

// view is how the page at a path sees the site from where it stands.
func (b *builder) view(page, out string) *view {
	return &view{From: b.table.From(page, out), sum: &marks{}, list: &diag.List{}, sizes: b.sizes}
}

// content is what a page says, remembered or rendered.
func (b *builder) content(ctx context.Context, p *site.Page, out string, src load.Source, source [sha256.Size]byte, v *view) (c *content, ok bool) {
	if !b.cacheable(p) {
		return b.say(ctx, p, src, v)
	}
	key := b.contentKey(p, out, source)
	if c, ok := b.findContent(key, v); ok {
		return c, true
	}
	if c, ok = b.say(ctx, p, src, v); ok && !c.list.HasErrors() && !c.needs.unsure {
		b.keepContent(key, c)
	}
	return c, ok
}

// dress puts the frame around what a page says, and makes of it what the whole site needs.
func (b *builder) dress(ctx context.Context, r *result, c *content, out string, v *view, modified time.Time) {
	p := r.page
	r.list, r.twin, r.feed, r.extras = c.list, c.twin, c.feed, c.extras
	r.sum.lead, r.sum.open, r.marks = c.lead, c.extras.islands, marks{c.ids, c.refs}
	v.sum, v.list, v.needs = &marks{}, &diag.List{}, &c.needs // the frame's pictures count, its links were checked once for all pages
	frame := layout.Page{
		Page: p, HTML: c.html, Side: c.side, Lead: c.lead, Canonical: b.canonical(p), Twin: link.Twin(p.Path), Links: v, Outline: c.headings,
	}
	b.drawCard(r, &frame, out)
	var list diag.List
	frame.Banner, list = b.banner(ctx, p, v)
	r.list = few(append(slices.Clip(r.list), list...))
	if err := b.equip(&frame, &c.extras); err != nil {
		r.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		*r = b.broken(*r, out)
		return
	}
	frame.Spec, frame.Modified, frame.Feed = b.specFile(p), modified, feedFile(p)
	frame.Graph = b.graph(r, frame.Card, modified)
	r.html = b.pack(b.frame.Render(frame))
	r.words = b.wordsOf(p, c)
}

// seconds is a moment as entries have it.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// scanned is the digest of a page's source as it was when the folder was read; ok is false when that is not known, or nobody asks.
func (b *builder) scanned(p *site.Page) (sum [sha256.Size]byte, ok bool) {
	if !b.cacheable(p) || p.File == "" {
		return sum, b.cacheable(p)
	}
	return b.sums.Of(p.Path)
}

// sourceSum is the digest of a page's source; zero when nobody remembers pages, and for pages without one.
func (b *builder) sourceSum(p *site.Page, src load.Source) (sum [sha256.Size]byte) {
	if p.File != "" && b.opt.Cache != nil {
		sum = sha256.Sum256(src.Raw)
	}
	return sum
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

// equip names the files that a page needs beside the theme.
func (b *builder) equip(frame *layout.Page, e *extras) error {
	parts, err := b.parts(e)
	if err != nil {
		return err
	}
	for _, part := range parts {
		switch {
		case part.to == diagrams:
			frame.Mermaid = part.Path
		case part.to == sheets:
			frame.Sheets = append(frame.Sheets, part.Path)
		default:
			frame.Scripts = append(frame.Scripts, part.Path)
		}
	}
	return nil
}

// need is a part with what pages do with it.
type need struct {
	asset.Part
	to int
}

const (
	sheets = iota
	scripts
	diagrams
)

// parts are the files behind extras, in the order in which pages load them.
func (b *builder) parts(e *extras) (out []need, err error) {
	if len(e.sheet) > 0 {
		out = append(out, need{asset.NewPart(path.Join(asset.Folder, "page.css"), e.sheet), sheets})
	}
	for _, n := range []struct {
		used bool
		load func() (asset.Part, error)
		to   int
	}{
		{e.math, b.tools.formulas, sheets}, {e.mermaid, b.tools.diagrams, diagrams}, {e.islands, b.tools.islands, scripts},
		{e.play, b.tools.playStyle, sheets}, {e.play, b.tools.playScript, scripts},
	} {
		if !n.used {
			continue
		}
		part, err := n.load()
		if err != nil {
			return nil, err
		}
		out = append(out, need{part, n.to})
	}
	for _, c := range e.clients {
		out = append(out, need{asset.NewPart(path.Join(asset.Folder, "island", slug.Heading(c.Unit)+".js"), c.Script), scripts})
	}
	return out, nil
}

// broken ends a page with errors. Where a reader would rather see them than nothing, the page shows them.
func (b *builder) broken(r result, out string) result {
	r.failed = true
	if b.opt.ErrorPages {
		r.html.data = b.frame.Broken(layout.Page{Page: r.page, Canonical: b.canonical(r.page), Links: b.view(r.page.Path, out)}, r.list)
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
	if own := p.Details().Canonical; own != "" && link.Safe(own) {
		return own
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
		if err := b.put(ctx, link.File(p), r.html.data); err != nil {
			return err
		}
	}
	return nil
}
