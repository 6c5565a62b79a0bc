// Package render turns one page's source into HTML, plain text, headings and references.
//
// In: a page body from an author we do not trust, and a Resolver that says where references lead.
// Out: a Page value; findings about the body with the file's own positions.
// Never: writes an author's HTML, an address the Resolver refused, an inline script or style; reads files; keeps state between pages.
//
// Pages are read as Markdown (GFM). Tags of components are taken out and their children stay; see prepare.go.
package render
