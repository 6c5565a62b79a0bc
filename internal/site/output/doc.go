// Package output writes the files of a built site, one after another, to archives and folders.
//
// Inputs: File values in an order that depends only on the site. Outputs: an archive on an io.Writer, a folder, or
// several of them at once, all from the same compressed form; digests of files and of the whole tree; and the manifest,
// which this package also parses. It never keeps file contents in memory or reads a clock, and never lets a path leave
// the tree.
package output
