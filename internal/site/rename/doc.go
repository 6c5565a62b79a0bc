// Package rename plans the changes that are necessary when a page, a file or a folder of a docs folder is renamed:
// navigation, links, imports, redirects.
//
// Inputs: the docs folder as an fs.FS, the old name and the new one. Outputs: a Plan, which lists the files that
// move, and the new content of files that change, with every other byte unchanged. It never writes files, changes
// syntax that it does not recognize, or breaks a link that worked before.
package rename
