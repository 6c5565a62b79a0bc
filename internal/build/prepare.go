package build

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// preparedSite is the data that the pages of one build share, and the renderer of pages. prepare creates it from
// the source and the options. It does not change afterwards, so that pages can be rendered in parallel and a
// preview can keep it. Stages get only the parts they need. The caller must close it.
type preparedSite struct {
	src      *source
	nav      *navigation
	addr     *addresses
	docs     *documents
	theme    *siteTheme
	pages    *pageRenderer
	findings diag.List // about theme and cards
}

// prepare creates the data that all pages share. opt.Tools must be set. out is nil in a preview. sizes may be nil.
func prepare(src *source, opt Options, out *output.Ledger, sizes *imageSizes) (*preparedSite, error) {
	digest := digestSite(src.site, opt.Cache) // in parallel with the rest
	if sizes == nil {
		sizes = newImageSizes(src.unrecorded(), src.site)
	}
	nav := newNavigation(src.site)
	addr := newAddresses(src.site, opt, sizes, newImageVariants(src, opt))
	docs := &documents{cache: opt.Cache, program: opt.Program}
	if out != nil {
		docs.packing, docs.holds = out.WantsPacked(), out.Holds()
	}
	icons := opt.Tools.icons.Set(src.site.IconLibrary)
	theme, err := newTheme(src.site, opt, addr, icons)
	if err != nil {
		return nil, err
	}
	cards, list, err := newCardMaker(src, opt, nav, addr)
	if err != nil {
		return nil, err
	}
	content := newContentRenderer(src, opt, icons, nav, addr, docs)
	layout := &pageLayout{
		src: src, nav: nav, addr: addr, docs: docs, frame: theme.frame, tools: opt.Tools, front: opt.frontEnd(), cards: cards,
		content: content,
	}
	cache := newPageCache(src, opt, nav, addr, docs, theme, cards, <-digest)
	return &preparedSite{
		src: src, nav: nav, addr: addr, docs: docs, theme: theme,
		pages:    newPageRenderer(opt, content, layout, newWordCounter(opt, nav), cache),
		findings: slices.Concat(theme.findings, list),
	}, nil
}

// close stops author code, including that of pages that timed out, and removes copies of images.
func (s *preparedSite) close() {
	s.pages.close()
	s.addr.variants.close()
}

// writeFrontEnd writes the files that do not depend on rendered pages: the platform's styles and scripts, the trees
// of large sections, the list of permitted sources on other hosts, and the author's own files. It also checks the
// addresses in the site file, once for all pages. A preview calls it before the first request.
func (s *preparedSite) writeFrontEnd(ctx context.Context, w *siteWriter, opt Options) error {
	w.report.Diagnostics = append(w.report.Diagnostics, checkSiteLinks(s.src.site, s.addr)...)
	if err := writeTheme(ctx, w, s.theme, opt); err != nil {
		return err
	}
	for _, f := range s.theme.frame.Sections(s.addr.rootView()) {
		if err := w.put(ctx, f.Path, f.Data); err != nil {
			return err
		}
	}
	if err := writeSources(ctx, w, opt.Offers.External); err != nil {
		return err
	}
	return writeAuthorFiles(ctx, w, opt.Offers.External)
}
