package sitebuild

import (
	"bytes"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/layout"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/scan"
	"github.com/lectern-docs/lectern/internal/site"
)

// pageDiagMax bounds the findings kept of one page.
const pageDiagMax = 50

// result is one page, done.
type result struct {
	page *site.Page
	html []byte // nil when the page failed
	twin []byte
	sum  entry
	list diag.List
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
		return r
	}
	v := &view{From: b.table.From(p.Path, out), sum: &r.sum, list: &r.list}
	rendered, err := b.render.Render(render.Source{File: p.File, Body: src.Body, BodyLine: src.BodyLine, DropTitle: p.TitleInBody}, v)
	if err != nil {
		r.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return r
	}
	r.sum.lead, r.sum.open = strings.Clone(rendered.Lead), rendered.Tags
	frame := layout.Page{
		Page: p, HTML: rendered.HTML, Lead: rendered.Lead, Canonical: b.canonical(p), Twin: link.Twin(p.Path), Links: v,
		Outline: make([]layout.Heading, len(rendered.Headings)),
	}
	for i, h := range rendered.Headings {
		frame.Outline[i] = layout.Heading{Level: h.Level, ID: h.ID, Text: h.Text}
		r.sum.ids = append(r.sum.ids, hash(h.ID))
	}
	r.html = b.frame.Render(frame)
	r.twin = twin(p, src.Body)
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
		v.warn(ref.Pos, "unsafe-link", "The address %q is not http, https, mailto or a path, and is left out.", ref.Dest)
		return "", false
	case link.Broken:
		if ref.Image {
			v.warn(ref.Pos, "broken-image", "There is no file %q.", ref.Dest)
		} else {
			v.warn(ref.Pos, "broken-link", "There is no page or file %q.", ref.Dest)
		}
	case link.ToPage, link.ToAnchor:
		v.anchor(t, ref.Pos)
	}
	return t.Href, true
}

// anchor notes a reference to a place on a page, once for each place.
func (v *view) anchor(t link.Target, pos diag.Pos) {
	known := func(r anchorRef) bool { return r.page == t.Page && r.id == t.Anchor }
	if t.Anchor == "" || len(v.sum.refs) >= pageDiagMax || slices.ContainsFunc(v.sum.refs, known) {
		return
	}
	v.sum.refs = append(v.sum.refs, anchorRef{page: t.Page, id: strings.Clone(t.Anchor), pos: pos})
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
