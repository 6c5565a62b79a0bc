// Package outtree takes the files of a finished site, one after the other, and puts them somewhere.
//
// In: File values in an order that depends only on the site.
// Out: an archive on an io.Writer, a folder, several of them at once; digests of files and of the whole tree.
// Never: keeps file contents, reads a clock, or lets a path leave the tree.
package outtree
