// Package link resolves references to pages, assets and redirects, and writes their URLs.
//
// Inputs: the site model, a Style, and references as authors wrote them. Outputs: final URLs, or the reason why a
// reference has none; matched redirects; sitemap and robots files. It never reads files or HTML. Every URL that it
// returns has a permitted scheme or no scheme.
package link
