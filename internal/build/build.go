package build

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// builder holds the state of one run of Build.
type builder struct {
	src    *source
	opt    Options
	sink   output.Sink
	w      *siteWriter
	theme  *siteTheme
	addr   *addresses
	tools  *Tools
	expand *expand.Site
	cards  *cardMaker // nil when cards are off
	pages  *pageRenderer
	// notFoundDigest names the script inside of 404.html, as content policies do; "" before writeNotFound, and where
	// it has none
	notFoundDigest string
	entries        []entry // summaries of written pages, in page order

	search   *segments      // nil outside of a whole build, and without search
	finisher *indexFinisher // nil before the last page is written

	docs *documents

	nav         *navigation
	twinSpool   *output.Spool // Markdown forms of listed pages; nil outside of a whole build
	anchorSpool *output.Spool // anchors of each page; nil outside of a whole build

	order     map[variant][]*entry // listed pages by variant, in the order of the lists; nil before they are made
	listMaker *listMaker           // builds the lists; nil when it is not running
}

// Build reads src and writes the site to out. The error is for failures of the sink or the context only; what authors did wrong is
// in the report. A site without a page is an error diagnostic and writes nothing.
func Build(ctx context.Context, src fs.FS, opt Options, out output.Sink) (*Report, error) {
	opt = opt.withDefaults()
	b := &builder{opt: opt, sink: out, tools: opt.Tools}
	if b.tools == nil {
		tools, err := NewTools()
		if err != nil {
			return nil, fmt.Errorf("build site: %w", err)
		}
		defer func() { _ = tools.Close() }() // Close only frees memory
		b.tools = tools
	}
	if err := b.run(ctx, src); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return b.w.report, nil
}

func (b *builder) run(ctx context.Context, src fs.FS) error {
	if ready, err := b.load(ctx, src); err != nil || !ready {
		return err
	}
	return b.build(ctx)
}

// build writes a site that is already loaded.
func (b *builder) build(ctx context.Context) error {
	defer b.expand.Close() // also stops code of pages that timed out
	defer b.w.Close()
	defer b.closeTwinSpool()
	defer b.closeAnchorSpool()
	defer b.abortSearch()
	for _, stage := range slices.Concat(b.stagesBeforePages(), b.pageStages(), b.stagesAfterPages()) {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stage is one step of a build.
type stage = func(context.Context) error

// stagesBeforePages lists the stages that need no rendered page; a preview runs them before the first request.
func (b *builder) stagesBeforePages() []stage {
	return []stage{
		b.checkSiteLinks, // checks addresses of the site file
		func(ctx context.Context) error { return writeTheme(ctx, b.w, b.theme, b.tools, b.opt.Offers) },
		b.writeAuthorFiles, // the author's own
	}
}

// pageStages lists the stages that render pages, and those that open and close what fills up meanwhile.
func (b *builder) pageStages() []stage {
	return []stage{
		b.openTwinSpool,   // collects Markdown forms for llms-full.txt
		b.openAnchorSpool, // collects heading ids, to check references
		b.openSearch,
		b.renderPages, // renderpages.go, and page.go for each
		b.startLists,
		b.startIndexFinish,
	}
}

// stagesAfterPages lists the stages that follow the pages.
func (b *builder) stagesAfterPages() []stage {
	return []stage{
		b.writeUnreadablePages, // error pages for sources that could not be read
		b.writeIndex,           // index.html, if no page has that path
		b.writeNotFound,
		b.writeRedirects,
		b.writeMachineFiles, // sitemap, lists, skills, .well-known
		b.writeOrigins,      // origins that the playground's proxy may call
		b.writeLanguageList,
		b.writeHostRules, // configuration of static hosts
		b.writeIndexRest,
		b.copyAssets, // the author's own files
		b.finish,     // anchors, manifest.json
	}
}

// load reads the folder and prepares what all pages share. ready is false when there is no page; when it is true, the
// caller must close b.expand.
func (b *builder) load(ctx context.Context, src fs.FS) (ready bool, err error) {
	if ready, err = b.read(ctx, src); err != nil || !ready {
		return false, err
	}
	return true, b.prepare()
}

// read reads the folder; ready is false when there is no page.
func (b *builder) read(ctx context.Context, src fs.FS) (ready bool, err error) {
	var report *Report
	if b.src, report, err = loadSource(ctx, src, b.opt, b.opt.loadMemo); err != nil {
		return false, err
	}
	b.w = newSiteWriter(b.sink, b.opt.Scratch, b.src, report)
	return !b.src.empty(), nil
}

// prepare sets up what all pages share.
func (b *builder) prepare() (err error) {
	digest := digestSite(b.src.site, b.opt.Cache)
	s := b.src.site
	b.docs = &documents{cache: b.opt.Cache, program: b.opt.Program, packing: b.w.WantsPacked()}
	b.nav = newNavigation(s)
	sizes := b.opt.sizes
	if sizes == nil {
		sizes = newImageSizes(b.src.unrecorded(), s)
	}
	b.addr = newAddresses(s, b.opt.Links, b.opt.BaseURL, sizes)
	icons := b.tools.icons.Set(s.IconLibrary)
	if b.theme, err = newTheme(s, b.opt, b.tools, b.addr, icons); err != nil {
		return err
	}
	b.w.addFindings(b.theme.findings)
	var list diag.List
	if b.cards, list, err = newCardMaker(b.src, b.opt, b.tools, b.nav, b.addr); err != nil {
		return err
	}
	b.w.addFindings(list)
	content := newContentRenderer(b.src, b.opt, b.tools, icons, b.nav, b.addr, b.docs)
	b.expand = content.expand
	around := &pageLayout{
		src: b.src, nav: b.nav, addr: b.addr, docs: b.docs, frame: b.theme.frame, tools: b.tools, cards: b.cards, content: content,
	}
	cache := newPageCache(b.src, b.opt, b.nav, b.addr, b.docs, b.theme, b.cards, <-digest)
	b.pages = newPageRenderer(b.opt, content, around, newWordCounter(b.opt, b.nav), cache)
	return nil
}
