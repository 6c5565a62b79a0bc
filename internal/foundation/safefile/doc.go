// Package safefile reads a regular file at a path chosen by an author, and refuses symbolic links.
//
// Inputs: an fs.FS, a path below it, and a size limit in bytes. Outputs: the bytes of a regular file whose parents
// are all real folders. It never follows a symbolic link, which could expose a file outside the tree, and never
// reads more than the limit.
package safefile
