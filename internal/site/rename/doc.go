// Package rename works out what has to change when a page, a file or a folder of a docs folder gets another name: navigation, links,
// imports, redirects.
//
// In: the docs folder as an fs.FS, the old name and the new one.
// Out: a Plan: which files move, and which files read differently afterwards, byte for byte the same elsewhere.
// Never: writes a file, changes what it does not understand, or leaves a link behind that worked before.
package rename
