// Package blocked describes content that a site's content policy blocked in a reader's browser.
//
// Inputs: fields of a browser's report, which anybody can forge.
// Outputs: a bounded, normalized entry; what the author adds to docs.json to allow it.
// It never keeps a whole address: paths and queries of other sites can identify a reader.
package blocked
