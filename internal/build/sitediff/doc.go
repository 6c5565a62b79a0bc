// Package sitediff compares two states of a site and reports what readers gain or lose.
//
// Inputs: two builds, each with a Recorder as its sink, and the folders that they were built from. Outputs: pages that
// were added, removed and moved, and findings about regressions for readers: addresses, anchors, operations of APIs and
// ranks in search. It does not depend on where the two states come from, and does not build sites itself.
package sitediff
