// Package draft overlays changes on a docs folder without writing them.
//
// Inputs: a folder as an fs.FS, and files to write, move or remove in it. Outputs: the changed folder as an fs.FS, and
// the list of differences, also as a patch. It never changes the folder itself, never follows a path out of it, and
// does not interpret files.
package draft
