// Package devserve shows an author the site while they write it: pages as they will be published, made when they are looked at, shown
// anew when a file changes, with what is wrong with them on top.
//
// In: a sitebuild.Live, lists of changed files, HTTP requests from the author's own browser.
// Out: pages, a stream of changes, findings, short lines for the terminal.
// Never: reaches another machine, answers to names that are not this machine's, or puts anything of itself into a published site.
package devserve
