// Package markdown writes a page as clean Markdown: what a reader of the page gets, for readers that are programs.
//
// In: the expanded nodes of a page (expand made them) from an author we do not trust, and a function that says where references lead.
// Out: Markdown (CommonMark and GFM) that our own parser reads again without an error; the entries of a changelog.
// Never: parses or evaluates; writes text that would be read as a tag, an expression or a mark of Markdown; keeps state between pages.
//
// Markdown's own nodes are written in block.go and inline.go, HTML in html.go, and each family of components in a file of its own.
package markdown
