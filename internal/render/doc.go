// Package render turns one page's content into HTML, an outline and references.
//
// In: an expanded page (expand made it) from an author we do not trust, and a Resolver that says where references lead.
// Out: a Page value; findings with the source's own positions.
// Never: writes an author's text unescaped, an address the Resolver refused, an inline script; reads files; keeps state between pages.
//
// Markdown's elements are written here (block.go, inline.go), authors' HTML by the rules of htmlpolicy (element.go), components by their
// room. A page is written in one pass into one buffer.
package render
