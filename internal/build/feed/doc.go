// Package feed turns the entries of a changelog page into an RSS 2.0 feed.
//
// In: the expanded nodes of a page and the addresses it stands at.
// Out: XML, with each entry as plain text and as HTML. The library for Markdown enters here: what it reads is our own Markdown form.
// Never: reads a clock: dates are those that authors wrote.
package feed
