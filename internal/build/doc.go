// Package build turns a docs folder into a finished site. It is the only package that runs all stages, in this order:
// load the folder; prepare what all pages share; for each page expand, render, apply the layout and write the
// machine-readable forms; then write the files that cover all pages.
//
// Start at build.go: Build calls the stages. Each returns a value that later stages read and that no stage modifies:
//
//	loadSource   → source        (source.go)      the folder as it was read
//	prepare      → preparedSite  (prepare.go)     what all pages share: navigation, addresses, theme, page renderer
//	pageStage    → result        (renderpages.go) pages in parallel, to pageWriter in page order
//	pageWriter   → entries       (pagewriter.go)  files of the pages, and an entry for each
//	writeAfterPages              (build.go)       lists, machine files, search index, assets, manifest
//
// page.go has the steps for one page: source → content (content.go) → document (pagelayout.go) → result (result.go),
// with the cache around two of the steps. Live (live.go) keeps a site up to date while its source changes. It calls the
// same functions, with a memo, so there is no second code path.
//
// Inputs: an fs.FS with the docs folder, Options, a Sink.
// Outputs: files to the Sink, from one goroutine and in an order that depends only on the input; a Report.
// It never keeps the HTML of more than a fixed number of pages (or, in Live, of bytes), reads a clock or the
// environment, or stops at an author's mistake.
package build
