package build

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Build reads src and writes the site to out. It returns an error only if the sink or the context fails; authors'
// mistakes are in the report. If the site has no page, the report contains an error, and nothing is written.
func Build(ctx context.Context, src fs.FS, opt Options, out output.Sink) (*Report, error) {
	opt = opt.withDefaults()
	if opt.Tools == nil {
		tools, err := NewTools()
		if err != nil {
			return nil, fmt.Errorf("build site: %w", err)
		}
		defer func() { _ = tools.Close() }() // Close only frees memory
		opt.Tools = tools
	}
	loaded, report, err := loadSource(ctx, src, opt, nil)
	if err == nil {
		opt.Loaded(loaded.site, loaded.specs)
	}
	if err == nil && !loaded.empty() {
		err = buildSource(ctx, loaded, report, opt, remembered{}, out)
	}
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return report, nil
}

// remembered is the data that a preview keeps between builds of the same source. The zero value is empty.
type remembered struct {
	pages *pageMemo
	sizes *imageSizes
}

// buildSource writes the site of a source that has at least one page, and completes its report.
func buildSource(
	ctx context.Context, src *source, report *Report, opt Options, known remembered, out output.Sink,
) error {
	w := newSiteWriter(out, opt.Scratch, src, report)
	defer w.Close()
	s, err := prepare(src, opt, w.Ledger, known.sizes)
	if err != nil {
		return err
	}
	defer s.close()
	w.addFindings(s.findings)
	if err := s.writeFrontEnd(ctx, w, opt); err != nil {
		return err
	}
	pages, err := openPageWriter(ctx, w, s, opt)
	if err != nil {
		return err
	}
	defer pages.close()
	stage := &pageStage{cache: s.pages.cache, write: pages.write}
	stage.render = func(ctx context.Context, p *site.Page, kept []byte) result {
		return known.pages.page(ctx, s.pages, p, kept)
	}
	if err := stage.run(ctx, src.site.Pages, opt.Workers); err != nil {
		return err
	}
	opt.Progress(Progress{Stage: StageAssets, Done: report.Pages, Total: len(src.site.Pages)})
	return writeAfterPages(ctx, w, s, pages, opt)
}

// writeAfterPages writes the files that depend on the pages. Lists and the rest of the search index are built in
// the background at the same time; the order of the files does not depend on when they are ready.
func writeAfterPages(ctx context.Context, w *siteWriter, s *preparedSite, pages *pageWriter, opt Options) error {
	lists := &listMaker{
		src: s.src, nav: s.nav, addr: s.addr, docs: s.docs, twins: pages.twins, workers: opt.Workers,
	}
	run, err := lists.start(pages.entries)
	if err != nil {
		return err
	}
	defer run.stop()
	pages.search.finish()
	script, err := writeFallbackPages(ctx, w, s, pages.entries, opt)
	if err != nil {
		return err
	}
	if err := writeOrigins(ctx, w, s.nav, pages.entries, opt.Offers.Playground); err != nil {
		return err
	}
	if err := writeLanguageList(ctx, w, s.nav, pages.entries); err != nil {
		return err
	}
	if err := writeHostRules(ctx, w, s.addr, pages.entries, script, opt.Offers.External); err != nil {
		return err
	}
	if err := pages.search.writeRest(ctx); err != nil {
		return err
	}
	// late, because the lists take longest
	if err := writeMachineFiles(ctx, w, s, pages.entries, lists, run, opt); err != nil {
		return err
	}
	run.stop()
	pages.twins.close() // the lists were its last reader
	if err := copyAssets(ctx, w, s.addr.variants, opt.Progress); err != nil {
		return err
	}
	opt.SourceRead()
	return finish(ctx, w, pages, opt)
}

// finish checks anchors after all headings are known, writes manifest.json and completes the report.
func finish(ctx context.Context, w *siteWriter, pages *pageWriter, opt Options) (err error) {
	if err := pages.anchors.check(pages.entries, w.addFindings); err != nil {
		return err
	}
	r := w.report
	hintBroken(r.Diagnostics, w.src)
	r.Diagnostics.Sort()
	if r.TreeHash, err = w.TreeHash(); err != nil {
		return err
	}
	r.Written = pages.entries.complete()
	if opt.Manifest {
		labels := output.Labels{
			Tool: opt.Tool, Version: opt.Version, Commit: opt.Commit, Pages: r.Pages, Features: opt.Offers.Names(),
			Groups: opt.View.Groups, Signer: opt.Signer,
		}
		if err := w.WriteManifest(ctx, labels); err != nil {
			return err
		}
	}
	r.Files, r.Bytes = w.Files(), w.Bytes()
	opt.Progress(Progress{Stage: StageDone, Done: r.Pages, Total: len(w.src.site.Pages)})
	return nil
}
