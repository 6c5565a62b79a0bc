// Package debian brings files of Debian's packages, pinned by digest: what an image needs beside our own program.
//
// Inputs: a lock file (package, version, size, SHA-256, place on a mirror), mirrors, and a folder in which fetched packages
// are kept. Outputs: the packages' files, without their scripts having run; a new lock file from signed indexes. Never: a
// byte of a package whose digest is not the pinned one; an index whose signature Debian's keys do not bear out.
package debian
