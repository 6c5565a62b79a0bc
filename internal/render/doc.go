// Package render turns one page's content into HTML, an outline and references.
//
// Inputs: an expanded page from an untrusted author, and a Resolver that decides where references lead. Outputs: a
// Page; findings with positions in the source. It never writes an author's text unescaped, a URL that the Resolver
// refused, or an inline script; it does not read files or keep state between pages.
//
// Markdown is written in block.go and inline.go, authors' HTML in element.go by the rules of htmlpolicy, components
// by package component. A page is written in one pass into one buffer.
package render
