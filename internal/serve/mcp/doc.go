// Package mcp lets programs that speak the Model Context Protocol search a site and read its pages.
//
// In: a request to a site's /mcp, or a pair of streams on the reader's own machine; the site's library.
// Out: answers of two tools, search_docs and read_page, two prompts, and pages and lists as resources; each request stands alone, so that any
// replica can answer it.
// Never: changes anything, keeps a session, or shows what the site itself would not (C7). The protocol's library enters here and nowhere else.
package mcp
