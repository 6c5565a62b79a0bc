// Package filestamp tells whether a file still has the content that was read before, without reading it again.
//
// A stamp is a file's device, number, size and times. No program can set the time of the last change (ctime) to a value
// of its choice, so a file that is changed after its stamp was taken has another one, if the clock has gone on in
// between. Decision 74 has the argument and its limits.
//
// Inputs: paths and what the system says about files; digests of contents that were read.
// Outputs: the digest of a file whose stamp is unchanged; a record of all stamps, to be kept for the next run.
// Never: opens a file, or trusts a stamp from a file system whose clock is not this machine's.
package filestamp
