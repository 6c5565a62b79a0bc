// Package debian extracts from Debian packages, pinned by digest, the files that an image needs besides our own
// program.
//
// Inputs: a lock file (package, version, size, SHA-256, path on a mirror), mirrors, and a folder that caches packages.
// Outputs: the packages' files, without running their scripts; a new lock file from signed indexes. Never: uses a
// package whose digest is not the pinned one, or an index without a valid signature by Debian's keys.
package debian
