// Package blocked describes content that a site's content policy blocked in a reader's browser.
//
// Inputs: fields of a browser's report, which anyone can forge. Outputs: a size-limited, normalized entry; what the
// author has to add to docs.json to allow it. It never stores a complete address: paths and queries of other sites
// can identify a reader.
package blocked
