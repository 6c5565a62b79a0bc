// Package feed turns the entries of a changelog page into an RSS 2.0 feed.
//
// In: the expanded nodes of a page and the addresses it stands at.
// Out: XML.
// Never: reads a clock: dates are those that authors wrote.
package feed
