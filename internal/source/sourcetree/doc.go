// Package sourcetree turns the tree that somebody else wrote into plain files that the press may read.
//
// In: a source's entries (files, links, submodules) as a driver listed them, and limits.
// Out: regular files only, in an empty folder, with a warning for everything left out; the same entries always give the same files.
// Never: a path outside the folder, a link followed out of the tree, a fetch.
package sourcetree
