// Package safefile reads a file that an author names, if it is one.
//
// In: an fs.FS, a path below it, and how many bytes are too many.
// Out: the bytes of a regular file that is reached through folders alone.
// Never: follows a symbolic link, which could lead to a file that was not meant to be read, or reads without a bound.
package safefile
