package build

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// writeMachineFiles writes the files for machines. An author's own file replaces ours of the same name.
func (b *builder) writeMachineFiles(ctx context.Context) error {
	defer b.closeTwinSpool()
	if err := b.w.putUnlessAuthored(ctx, "robots.txt", b.addr.Robots(b.src.site.SEO.NoIndex)); err != nil {
		return err
	}
	for _, step := range []stage{b.writeAuthorWellKnown, b.writeSitemap, b.writeLists, b.writeSkills, b.writeWellKnown} {
		if b.src.site.SEO.NoIndex { // the site must not be discoverable
			return b.writeAuthorWellKnown(ctx)
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) closeTwinSpool() {
	b.listMaker.stop()
	b.listMaker = nil
	b.twinSpool.Close()
	b.twinSpool = nil
}

// writeSitemap lists the pages that search engines may index.
func (b *builder) writeSitemap(ctx context.Context) error {
	if b.src.authorHas("sitemap.xml") || !b.addr.Mapped() {
		return nil
	}
	var pages []link.SitemapPage
	languages := b.languages()
	for i := range b.entries {
		e := &b.entries[i]
		if b.nav.listed(e.page) && e.page.Details().External == "" {
			pages = append(pages, link.SitemapPage{Page: e.page.Path, Modified: e.when(), Alternates: languages.of(e.page.Path)})
		}
	}
	return b.addr.Sitemap(pages, func(f link.SitemapFile) error { return b.w.putUnlessAuthored(ctx, f.Path, f.Data) })
}

// writeLanguageList writes the first page of each language, on sites with several.
func (b *builder) writeLanguageList(ctx context.Context) error {
	var list []capability.Language
	for _, n := range b.src.site.Nav {
		page := ""
		if n.Kind == site.KindLanguage {
			page = b.firstShown(n)
		}
		if page == "" {
			continue
		}
		one := capability.Language{Tag: i18n.Tag(n.Title), Page: page}
		if b.nav.defaults[n] {
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
	return b.w.put(ctx, capability.LanguagesFile, append(data, '\n'))
}

// firstShown returns the first visible page below a node; "" when there is none.
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

// translations groups pages that are translations of each other.
type translations struct {
	key    map[string]string           // page → what it shares with its translations
	groups map[string][]link.Alternate // by that
}

// languages finds translations: pages with the same path below the folder of each language. The default language may
// have no folder.
func (b *builder) languages() translations {
	out := translations{map[string]string{}, map[string][]link.Alternate{}}
	for i := range b.entries {
		p := b.entries[i].page
		node := b.nav.trail(p.Path).languageNode()
		if node == nil || !b.nav.listed(p) {
			continue
		}
		language := node.Title
		key := strings.TrimPrefix(p.Path, language+"/")
		if key == language {
			key = "index"
		}
		out.key[p.Path] = key
		out.groups[key] = append(out.groups[key], link.Alternate{Language: i18n.Tag(language), Page: p.Path})
		if b.nav.defaults[node] {
			out.groups[key] = append(out.groups[key], link.Alternate{Language: "x-default", Page: p.Path})
		}
	}
	return out
}

// maxAlternates bounds the translations of one page: each page lists all the others.
const maxAlternates = 200

func (t translations) of(page string) []link.Alternate {
	group := t.groups[t.key[page]]
	if t.key[page] == "" || len(group) > maxAlternates || len(group) < 2 || len(group) == 2 && group[0].Page == group[1].Page {
		return nil
	}
	return group
}

// feedFile returns the path of a page's RSS feed; "" when it has none.
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
	if r.feed == nil || !b.w.available(name) {
		return nil
	}
	const kind = "application/rss+xml; charset=utf-8"
	return b.w.Put(ctx, output.File{Path: name, ContentType: kind, Data: r.feed})
}
