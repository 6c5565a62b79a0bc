// Package build turns a docs folder into a finished site. It is the only package that runs all stages, in this order:
// load the folder; for each page expand, render, apply the layout and write the machine-readable forms; then write the
// files that cover all pages.
// build.go lists the stages, page.go builds one page, renderpages.go runs pages in parallel and writes them in order.
// Live keeps a site ready while it changes: it runs the same functions with a cache, never a second path.
//
// Inputs: an fs.FS with the docs folder, Options, a Sink.
// Outputs: files to the Sink, from one goroutine and in an order that depends only on the input; a Report.
// Never: keeps the HTML of more than a fixed number of pages (Live: of bytes), reads a clock or the environment, or
// stops at an author's mistake.
package build
