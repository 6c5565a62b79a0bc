package build

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// writeMachineFiles writes the files for machines, with the lists that run builds.
func writeMachineFiles(
	ctx context.Context, w *siteWriter, s *preparedSite, pages entries, lists *listMaker, run *listRun, opt Options,
) error {
	m := &machineWriter{
		w: w, src: s.src, nav: s.nav, addr: s.addr, pages: pages, mcp: opt.MCP, version: opt.Version,
		view: opt.View,
	}
	return m.write(ctx, lists, run)
}

// machineWriter writes the files for machines, after the pages. An author's own file replaces ours with the same
// name.
type machineWriter struct {
	w       *siteWriter
	src     *source
	nav     *navigation
	addr    *addresses
	pages   entries
	mcp     string // address of the site's MCP server; "" = none
	version string // of the site; "" = unknown
	view    reader.View
}

// write writes robots.txt, the sitemap, the lists of pages that run builds, skills, and cards for agents. For a site
// that must not be discoverable, it only writes robots.txt and the author's own files.
func (m *machineWriter) write(ctx context.Context, lists *listMaker, run *listRun) error {
	if err := m.w.putUnlessAuthored(ctx, "robots.txt", m.addr.Robots(m.src.site.SEO.NoIndex)); err != nil {
		return err
	}
	if err := m.writeAuthorWellKnown(ctx); err != nil || m.src.site.SEO.NoIndex {
		return err
	}
	if err := m.writeSitemap(ctx); err != nil {
		return err
	}
	order, err := run.write(ctx, m.w)
	if err != nil {
		return err
	}
	pages := order[variant{}]
	about := m.describeSite(lists.index(variant{}, pages, "llms-full.txt"))
	if err := m.writeSkills(ctx, about); err != nil {
		return err
	}
	return m.writeWellKnown(ctx, about, lists.descriptions(pages))
}

// writeSitemap lists the pages that search engines may index.
func (m *machineWriter) writeSitemap(ctx context.Context) error {
	if m.src.authorHas("sitemap.xml") || !m.addr.Mapped() {
		return nil
	}
	var pages []link.SitemapPage
	languages := findTranslations(m.nav, m.pages)
	for i := range m.pages {
		e := &m.pages[i]
		if m.nav.listed(e.page) && e.page.Details().External == "" {
			pages = append(pages, link.SitemapPage{
				Page: e.page.Path, Modified: e.when(), Alternates: languages.of(e.page.Path),
			})
		}
	}
	return m.addr.Sitemap(pages, func(f link.SitemapFile) error { return m.w.putUnlessAuthored(ctx, f.Path, f.Data) })
}
