// Package feed turns the entries of a changelog page into an RSS 2.0 feed.
//
// Inputs: the expanded nodes of a page and its addresses. Outputs: XML, with each entry as plain text and as HTML.
// Only this package uses the Markdown library; its input is our own Markdown form. It never reads a clock: dates
// come from the author.
package feed
