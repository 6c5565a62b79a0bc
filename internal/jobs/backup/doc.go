// Package backup writes the whole state of an embedded server to one file while the server runs, and restores such a
// file to a new data folder.
//
// Inputs: a data folder with its open database, or a backup.
// Outputs: a tar.gz that starts with backup.json, which describes the backup, and ends with manifest.json, which has
// the size and SHA-256 of each file; a backup without manifest.json is incomplete. Or a new data folder, which
// appears only after every file was verified (D3).
// It never includes caches, mirrors or unfinished work, never completes a backup that lacks a file its database
// refers to, and never writes outside the new folder or into a folder that is not empty.
//
//	lectern.db                   a consistent copy, taken first: its rows refer only to stored blobs, which never change
//	blobs/KEY                    every stored blob
//	proposals/PROJECT.git/…      repositories of the embedded code host, each a consistent copy, taken last
//	git/known_hosts              host keys of known code hosts
//	secret.key                   unless it was left out
package backup
