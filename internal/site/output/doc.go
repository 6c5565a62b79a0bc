// Package output takes the files of a finished site, one after the other, and puts them somewhere.
//
// In: File values in an order that depends only on the site.
// Out: an archive on an io.Writer, a folder, several of them at once, all from one packed form; digests of files and of the whole tree,
// and the manifest, which is also read here.
// Never: keeps file contents, reads a clock, or lets a path leave the tree.
package output
