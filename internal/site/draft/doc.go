// Package draft overlays unwritten changes on a docs folder.
//
// Inputs: a folder as an fs.FS, and files to write, move or remove in it.
// Outputs: the changed folder, again as an fs.FS, and the list of differences, also as a patch.
// It never changes the folder itself, follows a path out of it, or knows what a file means.
package draft
