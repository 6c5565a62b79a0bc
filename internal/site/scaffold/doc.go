// Package scaffold holds the files that a new site starts with.
//
// In: a name, a theme, a colour.
// Out: files of a small site that shows what pages can do and has no finding.
// Never: writes to a disk, asks a network, or knows which files are there already.
package scaffold
