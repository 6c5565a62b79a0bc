// Package tree writes archives whose bytes depend on nothing but their files.
//
// Inputs: files with names, modes, owners and contents, in any order; one time for all of them.
// Outputs: tar and tar.gz streams, sorted by name, with the folders that lead to each file.
// Never: the clock, this machine's users, the order of a map or a folder.
package tree
