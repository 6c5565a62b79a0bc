// Package localdir decides which folders of the server's disk an organization's sources may use, and takes snapshots of
// them.
//
// Inputs: an absolute folder that the operator permits, and the docs folder below it.
// Outputs: its regular files copied to an empty folder, and a name derived from that content.
// It never follows a link out of the source folder or its root, and never copies version control data or the server's
// own data.
package localdir
