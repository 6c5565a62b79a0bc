package build

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/feed"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// machine writes the files for machines. An author's own file of the same name stands in the place of each.
func (b *builder) machine(ctx context.Context) error {
	defer b.closeSpool()
	if err := b.offer(ctx, "robots.txt", b.table.Robots(b.site.SEO.NoIndex)); err != nil {
		return err
	}
	for _, step := range []stage{b.ownWellKnown, b.sitemap, b.lists, b.skills, b.wellKnown} {
		if b.site.SEO.NoIndex { // nobody is to be told what is here
			return b.ownWellKnown(ctx)
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) closeSpool() {
	b.joiner.stop()
	b.joiner = nil
	b.spool.Close()
	b.spool = nil
}

// own tells whether the author has a file of this path.
func (b *builder) own(name string) bool { return b.site.FindAsset(name) != nil }

// offer writes a file unless the author has one of this name, or another file takes its place.
func (b *builder) offer(ctx context.Context, name string, data []byte) error {
	if b.own(name) || !b.out.Free(name) {
		return nil
	}
	return b.put(ctx, name, data)
}

// sitemap lists the pages that search engines may know.
func (b *builder) sitemap(ctx context.Context) error {
	if b.own("sitemap.xml") || !b.table.Mapped() {
		return nil
	}
	var pages []link.SitemapPage
	languages := b.languages()
	for i := range b.entries {
		e := &b.entries[i]
		if b.listed(e.page) && e.page.Details().External == "" {
			pages = append(pages, link.SitemapPage{Page: e.page.Path, Modified: e.when(), Alternates: languages.of(e.page.Path)})
		}
	}
	return b.table.Sitemap(pages, func(f link.SitemapFile) error { return b.offer(ctx, f.Path, f.Data) })
}

// languageList writes which language has which first page, where there are several.
func (b *builder) languageList(ctx context.Context) error {
	var list []capability.Language
	for _, n := range b.site.Nav {
		page := ""
		if n.Kind == site.KindLanguage {
			page = b.firstShown(n)
		}
		if page == "" {
			continue
		}
		one := capability.Language{Tag: i18n.Tag(n.Title), Page: page}
		if b.firsts[n] {
			list = slices.Insert(list, 0, one)
		} else {
			list = append(list, one)
		}
	}
	if len(list) < 2 {
		return nil
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return b.put(ctx, capability.LanguagesFile, append(data, '\n'))
}

// firstShown is the first page below a node that readers are shown the way to; "" = there is none.
func (b *builder) firstShown(n *site.Node) string {
	if n.Hidden {
		return ""
	}
	if e := b.entryOf(n.Page); e != nil && !e.page.Hidden && e.page.Details().External == "" {
		return n.Page
	}
	for _, c := range n.Children {
		if page := b.firstShown(c); page != "" {
			return page
		}
	}
	return ""
}

// translations are pages that say the same in several languages.
type translations struct {
	key    map[string]string           // page → what it shares with its translations
	groups map[string][]link.Alternate // by that
}

// languages finds the translations: the same path below the folder of each language. The default language may have none.
func (b *builder) languages() translations {
	out := translations{map[string]string{}, map[string][]link.Alternate{}}
	for i := range b.entries {
		p := b.entries[i].page
		node := b.trails.of(p.Path).languageNode()
		if node == nil || !b.listed(p) {
			continue
		}
		language := node.Title
		key := strings.TrimPrefix(p.Path, language+"/")
		if key == language {
			key = "index"
		}
		out.key[p.Path] = key
		out.groups[key] = append(out.groups[key], link.Alternate{Language: i18n.Tag(language), Page: p.Path})
		if b.firsts[node] {
			out.groups[key] = append(out.groups[key], link.Alternate{Language: "x-default", Page: p.Path})
		}
	}
	return out
}

// maxAlternates bounds the translations of one page: each names all the others.
const maxAlternates = 200

func (t translations) of(page string) []link.Alternate {
	group := t.groups[t.key[page]]
	if t.key[page] == "" || len(group) > maxAlternates || len(group) < 2 || len(group) == 2 && group[0].Page == group[1].Page {
		return nil
	}
	return group
}

// when is the moment that modified stands for; zero = unknown.
func (e *entry) when() time.Time {
	if e.modified == 0 {
		return time.Time{}
	}
	return time.Unix(e.modified, 0).UTC()
}

// modified is when a page changed last: the author's word, else the date of its source; zero when neither is known.
func (b *builder) modified(p *site.Page) time.Time {
	if written := p.Details().Updated; written != "" {
		if t, ok := feed.Date(written); ok {
			return t
		}
	}
	file := p.File
	if file == "" && p.API != nil {
		file = p.API.Spec
	}
	if b.opt.Modified == nil || file == "" {
		return time.Time{}
	}
	return b.opt.Modified(file).UTC()
}

// feedFile is where a page's RSS feed stands; "" when it has none.
func feedFile(p *site.Page) string {
	if !p.Feed {
		return ""
	}
	if dir, ok := strings.CutSuffix("/"+p.Path, "/index"); ok {
		return strings.TrimPrefix(dir+"/rss.xml", "/")
	}
	return p.Path + "/rss.xml"
}

// putFeed writes a page's feed.
func (b *builder) putFeed(ctx context.Context, r result) error {
	name := feedFile(r.page)
	if r.feed == nil || b.own(name) || !b.out.Free(name) {
		return nil
	}
	const kind = "application/rss+xml; charset=utf-8"
	return b.out.Put(ctx, output.File{Path: name, ContentType: kind, Data: r.feed})
}
