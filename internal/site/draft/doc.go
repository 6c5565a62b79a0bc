// Package draft is a docs folder with changes that nobody has written yet.
//
// In: a folder as an fs.FS, and files to write, move or remove in it.
// Out: the folder as it would be, again as an fs.FS, and the list of what differs, also as a patch.
// Never: touches the folder itself, follows a path out of it, or knows what a file means.
package draft
