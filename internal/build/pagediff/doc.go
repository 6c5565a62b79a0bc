// Package pagediff shows two states of a rendered page in one document, with what was removed and added marked.
//
// Inputs: two documents as a build writes them.
// Outputs: the newer document, whose text has the blocks of both.
// Never: runs or fetches anything. What authors wrote stays as the build wrote it, so that a marked page may do what the
// page itself may do, and must be served from the same origin.
package pagediff
