// Package localdir takes snapshots of documentation sources that are folders on the server's own disk.
//
// In: an absolute folder that the operator permits, and the docs folder below it.
// Out: its regular files copied to an empty folder, and a name for exactly that content.
// Never: a link out of the source folder, version control data, the server's own data, or a decision whether local sources are allowed.
package localdir
