// Package filestamp reports whether a file still has the content that was read earlier, without reading it again.
//
// A stamp consists of a file's device, inode number, size and times. No program can set the time of the last change
// (ctime) to a chosen value. A file that changes after its stamp was taken therefore has a different stamp, provided
// that the clock has advanced in between. Decision 74 contains the full argument and its limits.
//
// Inputs: paths and the system's information about files; digests of contents that were read. Outputs: the digest of a
// file whose stamp is unchanged; a record of all stamps, to be stored for the next run. It never opens files, and never
// trusts a stamp from a file system that uses a clock other than this machine's.
package filestamp
