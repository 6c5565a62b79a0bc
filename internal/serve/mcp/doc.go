// Package mcp lets clients of the Model Context Protocol search a site and read its pages, and lets clients with an
// admin API key propose edits.
//
// Inputs: a request to a site's /mcp, or a pair of streams on the reader's own machine; the site's library. Outputs:
// responses from two tools, search_docs and read_page, two prompts, and pages and lists as resources. Requests are
// stateless, so any replica can handle them. On a site it never changes anything, keeps a session, or shows content
// that the site itself would not (C7); edits go through the admin API, on other hosts. No other package imports the
// protocol's library.
package mcp
