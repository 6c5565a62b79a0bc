// Package sourcetree turns an untrusted source tree into plain files that the build may read.
//
// Inputs: a source's entries (files, links, submodules) as listed by a driver, and limits.
// Outputs: regular files only, in an empty folder, with a warning for each entry left out; the same entries always give
// the same files.
// It never writes outside the folder, follows a link out of the tree, or fetches anything.
package sourcetree
