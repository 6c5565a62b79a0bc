package sitebuild

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/fingerprint"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/llms"
	"github.com/lectern-docs/lectern/internal/openapi"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/twin"
)

// spoolTwins makes room for the Markdown forms of the pages, which llms-full.txt needs in another order than they are made.
func (b *builder) spoolTwins(context.Context) (err error) {
	if !b.site.SEO.NoIndex {
		b.spool, err = outtree.OpenSpool(b.opt.Scratch)
	}
	return err
}

// aside is a page's Markdown form, put aside: packed, or the text itself.
type aside struct {
	piece  outtree.Piece
	sum    [sha256.Size]byte // of the text; zero when nobody needs it
	size   int32             // of the text, in bytes
	packed bool
}

// keepTwin puts a page's Markdown form aside if a list may hold it. What is packed stays so: most of it is not read again.
func (b *builder) keepTwin(r *result) (err error) {
	if b.spool == nil || !b.listed(r.page) {
		return nil
	}
	t := &r.sum.twin
	t.size = int32(r.twin.size())
	if p := r.twin.packed; p != nil && p.Deflated != nil {
		t.packed, t.sum = true, p.SHA256
		t.piece, err = b.spool.Add(p.Deflated)
		return err
	}
	if b.opt.Cache != nil {
		t.sum = sha256.Sum256(r.twin.data)
	}
	t.piece, err = b.spool.Add(r.twin.data)
	return err
}

// twinText reads a form back, without the line that names the list of all pages: once is enough.
func (b *builder) twinText(e *entry) ([]byte, error) {
	data, err := b.spool.Read(e.twin.piece)
	if err == nil && e.twin.packed {
		packed := outtree.Packed{Size: int64(e.twin.size), SHA256: e.twin.sum, Deflated: data}
		data, err = packed.Unpack()
	}
	return bytes.Replace(data, []byte(b.pointer(e.page)), nil, 1), err
}

// pointer is the line of a page's Markdown form that names the list of all pages.
func (b *builder) pointer(p *site.Page) string {
	return twin.Pointer(b.view(p.Path, p.Path).listAddress(b.twinIndex(p))) + "\n\n"
}

// lists writes llms.txt and llms-full.txt of the default language and version, and of each other one in a folder of its own.
func (b *builder) lists(ctx context.Context) error {
	for _, v := range b.variants {
		folder := v.folder()
		index, full := path.Join(folder, "llms.txt"), path.Join(folder, "llms-full.txt")
		text := b.llms(v, b.order[v], full).Render()
		if err := b.offer(ctx, index, text); err != nil {
			return err
		}
		if folder == "" {
			if err := b.offer(ctx, ".well-known/llms.txt", text); err != nil {
				return err
			}
		}
		if err := b.full(ctx, full); err != nil {
			return err
		}
	}
	return nil
}

// name is the site's name with what sets a variant apart.
func (b *builder) nameOf(v variant) string {
	name := b.site.Name
	for _, part := range []string{v.language, v.version} {
		if part != "" {
			name += " - " + part
		}
	}
	return name
}

// llms is the list of pages.
func (b *builder) llms(v variant, pages []*entry, full string) llms.Index {
	x := llms.Index{
		Name: b.nameOf(v), Description: b.site.Description, Note: b.site.AgentNote,
		Full: b.table.Public(full),
	}
	if b.table.Mapped() || b.own("sitemap.xml") {
		x.More = b.table.Public("sitemap.xml")
	}
	at := map[string]int{}
	var away []llms.Link
	for _, e := range pages {
		if to := e.page.Details().External; to != "" {
			if !link.Safe(to) {
				continue
			}
			away = append(away, llms.Link{Title: e.page.Title, URL: to, Description: e.page.Description})
			continue
		}
		section := "More pages"
		if t := b.trails[e.page.Path]; t != nil {
			section = t.section()
		}
		i, ok := at[section]
		if !ok {
			i = len(x.Sections)
			at[section] = i
			x.Sections = append(x.Sections, llms.Section{Title: section})
		}
		l := llms.Link{Title: e.page.Title, URL: b.table.Public(link.Twin(e.page.Path)), Description: cmp.Or(e.page.Description, e.lead)}
		x.Sections[i].Links = append(x.Sections[i].Links, l)
	}
	for _, s := range []llms.Section{{Title: "API descriptions", Links: b.specLinks(pages)}, {Title: "Optional", Links: b.outside(v, away)}} {
		if len(s.Links) > 0 {
			x.Sections = append(x.Sections, s)
		}
	}
	return x
}

// described is an API description that pages show and readers can get.
type described struct {
	spec *openapi.Spec
	url  string
	page *site.Page // the first about it
}

// descriptions are those behind pages, in the order of the pages.
func (b *builder) descriptions(pages []*entry) (out []described) {
	seen := map[string]bool{}
	for _, e := range pages {
		if e.page.API == nil || e.page.API.Spec == "" || seen[e.page.API.Spec] {
			continue
		}
		name := e.page.API.Spec
		seen[name] = true
		spec := b.specs.Spec(name)
		switch {
		case spec == nil:
		case openapi.Remote(name):
			if link.Safe(name) {
				out = append(out, described{spec, name, e.page})
			}
		case b.own(name):
			out = append(out, described{spec, b.table.Public(name), e.page})
		}
	}
	return out
}

func (b *builder) specLinks(pages []*entry) (out []llms.Link) {
	for _, d := range b.descriptions(pages) {
		out = append(out, llms.Link{Title: cmp.Or(d.spec.Title, path.Base(d.spec.Name)), URL: d.url})
	}
	return out
}

// outside are the links of the site that lead away from it.
func (b *builder) outside(v variant, links []llms.Link) []llms.Link {
	add := func(title, href string) {
		if !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") || !link.Safe(href) || title == "" {
			return
		}
		links = append(links, llms.Link{Title: title, URL: href})
	}
	var walk func(nodes []*site.Node, up *trail)
	walk = func(nodes []*site.Node, up *trail) {
		for _, n := range nodes {
			t := &trail{n, up}
			if n.Hidden {
				continue
			}
			if n.Href != "" && b.variant(t) == v {
				add(n.Title, n.Href)
			}
			walk(n.Children, t)
		}
	}
	walk(b.site.Nav, nil)
	for _, l := range b.site.Navbar.Links {
		add(l.Label, l.Href)
	}
	if p := b.site.Navbar.Primary; p != nil {
		add(p.Label, p.Href)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(links, func(l llms.Link) bool {
		twice := seen[l.URL]
		seen[l.URL] = true
		return twice
	})
}

// joiner makes the llms-full.txt of each variant while the build does something else, one after the other: each may be large.
type joiner struct {
	files chan joined // in the order of the variants
	quit  chan struct{}
	ended sync.WaitGroup
}

type joined struct {
	file payload
	err  error
}

// startLists orders the pages for the lists, and begins to join their texts: that takes as long as what the build does next.
func (b *builder) startLists(context.Context) error {
	if b.spool == nil {
		return nil
	}
	if err := b.spool.Flush(); err != nil {
		return err
	}
	b.order = b.inOrder()
	if b.order[variant{}] == nil {
		b.order[variant{}] = []*entry{}
	}
	for v := range b.order {
		if v.folder() != "" || v == (variant{}) { // else its name has no letter
			b.variants = append(b.variants, v)
		}
	}
	slices.SortFunc(b.variants, func(x, y variant) int {
		return cmp.Or(cmp.Compare(x.language, y.language), cmp.Compare(x.version, y.version))
	})
	j := &joiner{files: make(chan joined), quit: make(chan struct{})}
	b.joiner = j
	j.ended.Go(func() {
		for _, v := range b.variants {
			var out joined
			out.file, out.err = b.join(v, b.order[v], path.Join(v.folder(), "llms.txt"))
			select {
			case j.files <- out:
			case <-j.quit:
				return
			}
		}
	})
	return nil
}

// stop ends the joining. A nil joiner has nothing to end.
func (j *joiner) stop() {
	if j != nil {
		close(j.quit)
		j.ended.Wait()
	}
}

// full writes the text of the next variant's pages in one file.
func (b *builder) full(ctx context.Context, name string) error {
	next := <-b.joiner.files
	if next.err != nil || b.own(name) || !b.out.Free(name) {
		return next.err
	}
	return b.putMade(ctx, name, next.file)
}

// join makes the file of a variant, as an earlier build did if it had the same to write.
func (b *builder) join(v variant, pages []*entry, index string) (payload, error) {
	f := llms.NewFull(b.nameOf(v), b.site.Description, b.table.Public(index), llms.FullMax)
	pages = slices.DeleteFunc(slices.Clone(pages), func(e *entry) bool { return e.page.Details().External != "" })
	var key [sha256.Size]byte
	if b.opt.Cache != nil {
		key = fingerprint.Of("full", b.keys.program, b.nameOf(v), b.site.Description, b.table.Public(index), b.fullPages(pages))
		if sum, ok := b.opt.Cache.Get(key); ok && len(sum) == sha256.Size {
			if known, ok := b.remembered([sha256.Size]byte(sum)); ok {
				return known, nil
			}
		}
	}
	if err := b.fill(f, pages); err != nil {
		return payload{}, err
	}
	p := b.pack(f.Bytes(), outtree.ContentType("llms-full.txt"))
	if b.opt.Cache != nil {
		b.opt.Cache.Put(key, p.packed.SHA256[:])
	}
	return p, nil
}

// fullPages digests the pages that there can be room for in the file, how many there are in all, and what else of them is in it.
func (b *builder) fullPages(pages []*entry) [sha256.Size]byte {
	w := &recordWriter{}
	w.number(len(pages))
	room := llms.FullMax
	for _, e := range pages {
		pointer := b.pointer(e.page)
		w.text(b.table.Canonical(e.page.Path))
		w.text(pointer)
		w.sum(e.twin.sum)
		if e.page.File != "skill.md" { // an author's own text, which may be mostly blank
			room -= max(0, int(e.twin.size)-len(pointer)-1024) // at least so much of it is in the file
		}
		if room < 0 {
			break
		}
	}
	return sha256.Sum256(w.out)
}

// fill puts the pages into the file, as far as there is room.
func (b *builder) fill(f *llms.Full, pages []*entry) error {
	for len(pages) > 0 {
		batch := pages[:min(len(pages), batchPages)]
		texts, err := b.batchTexts(batch)
		if err != nil {
			return err
		}
		for i, e := range batch {
			if !f.Room(len(texts[i])) {
				for range pages[i:] {
					f.Skip()
				}
				return nil
			}
			f.Page(b.table.Canonical(e.page.Path), texts[i])
		}
		pages = pages[len(batch):]
	}
	return nil
}

// batchPages is how many pages are read at once. It must not depend on the machine: batches are remembered.
const batchPages = 64

// batchTexts reads several forms back, or all of them as an earlier build had them: to unpack each takes longer.
func (b *builder) batchTexts(pages []*entry) ([][]byte, error) {
	if b.opt.Cache == nil {
		return b.twinTexts(pages)
	}
	w := &recordWriter{}
	for _, e := range pages {
		w.text(b.pointer(e.page))
		w.sum(e.twin.sum)
	}
	key := fingerprint.Of("texts", b.keys.program, w.out)
	if data, ok := b.opt.Cache.Get(key); ok {
		r, texts := &recordReader{in: data}, make([][]byte, len(pages))
		for i := range texts {
			texts[i] = r.bytes()
		}
		if r.end() {
			return texts, nil
		}
	}
	texts, err := b.twinTexts(pages)
	if err != nil {
		return nil, err
	}
	w.out = w.out[:0]
	for _, t := range texts {
		w.bytes(t)
	}
	b.opt.Cache.Put(key, w.out)
	return texts, nil
}

// twinTexts reads several forms back at once.
func (b *builder) twinTexts(pages []*entry) (out [][]byte, err error) {
	out, errs := make([][]byte, len(pages)), make([]error, len(pages))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(b.opt.Workers, len(pages)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pages); i = int(next.Add(1)) - 1 {
				out[i], errs[i] = b.twinText(pages[i])
			}
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}
