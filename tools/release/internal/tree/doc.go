// Package tree writes archives whose bytes depend only on their files.
//
// Inputs: files with names, modes, owners and contents, in any order; one time for all of them. Outputs: tar and
// tar.gz streams, sorted by name, with the parent folders of each file. They never depend on the current time, this
// machine's users, or the order of a map or a folder.
package tree
