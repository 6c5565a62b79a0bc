// Package rename plans what has to change when a page, a file or a folder of a docs folder is renamed: navigation,
// links, imports, redirects.
//
// Inputs: the docs folder as an fs.FS, the old name and the new one.
// Outputs: a Plan: which files move, and the new content of files that change, with every other byte unchanged.
// It never writes a file, changes what it does not understand, or breaks a link that worked before.
package rename
