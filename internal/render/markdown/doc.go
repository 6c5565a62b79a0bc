// Package markdown writes the Markdown form of a page, for programs that read it.
//
// Inputs: the expanded nodes of a page from an untrusted author, and a function that resolves references. Outputs:
// Markdown (CommonMark and GFM) that our own parser reads without an error; the entries of a changelog. It never parses
// or evaluates, never writes text that would be read as a tag, an expression or Markdown syntax, and keeps no state
// between pages.
//
// Markdown nodes are written in block.go and inline.go, HTML in html.go, and each family of components in its own
// file.
package markdown
