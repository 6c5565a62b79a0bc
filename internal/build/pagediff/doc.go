// Package pagediff shows two states of a rendered page in one document, with removed and added parts highlighted.
//
// Inputs: two documents as a build writes them. Outputs: the newer document, whose text has the blocks of both. It
// never runs or fetches anything. Authors' content is unchanged, so a marked page has the same capabilities as the
// page itself, and must be served from the same origin.
package pagediff
