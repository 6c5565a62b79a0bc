// Package build is the only path from a docs folder to a finished site, and the only room that names the stages in order:
// scan → for each page expand, render, layout and the forms for machines → outtree, with asset and link beside them; then the files that
// are about all pages. build.go lists them; page.go makes one page; window.go runs pages in parallel and writes them in order.
// Live keeps a site ready while it changes: the same functions with a memory, never a second path.
//
// In: an fs.FS with the docs folder, Options, a Sink.
// Out: files to the Sink, from one goroutine and in an order that depends only on the input; a Report.
// Never: keeps the HTML of more than a fixed number of pages (a Live: of bytes), reads a clock or the environment, or stops at an author's mistake.
package build
