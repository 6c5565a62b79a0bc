// Package localdir decides which folders of the server's own disk an organization's sources may use, and takes snapshots of them.
//
// In: an absolute folder that the operator permits, and the docs folder below it.
// Out: its regular files copied to an empty folder, and a name for exactly that content.
// Never: a link out of the source folder or its root, version control data, or the server's own data.
package localdir
