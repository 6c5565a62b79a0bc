// Package rename plans the changes that are necessary when a page, file or subfolder of a docs folder is renamed: to
// the navigation, links, imports and redirects.
//
// Inputs: the docs folder as an fs.FS, the old name and the new one. Outputs: a Plan, which lists the files that move
// and the new content of files that change. Bytes that need no change stay the same. It never writes files, never
// changes syntax that it does not recognize, and never breaks a link that worked before.
package rename
