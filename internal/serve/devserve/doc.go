// Package devserve previews a site for its author: it renders pages on request as they will be published, reloads
// them when a file changes, and shows their findings in an overlay.
//
// Inputs: a build.Live, lists of changed files, HTTP requests from the author's own browser. Outputs: pages, a stream
// of changes, findings, short lines for the terminal. It never connects to another machine, responds to foreign host
// names, or adds anything of its own to a published site.
package devserve
