// Package pagediff shows two states of a rendered page in one document, with removed and added parts highlighted.
//
// Inputs: two documents as a build writes them. Outputs: the newer document, with the blocks of both documents as its
// text. It never runs or fetches anything. Authors' content is unchanged, so a marked page has the same capabilities as
// the page itself, and must be served from the same origin.
package pagediff
