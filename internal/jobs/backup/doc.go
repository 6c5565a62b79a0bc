// Package backup puts everything that an embedded server keeps into one file, while the server runs, and makes a data folder of it again.
//
// In: a data folder with its open database; or a backup.
// Out: a tar.gz: backup.json, which says what it is, the files, and at the end manifest.json with the size and SHA-256 of each, without which
// a backup is not whole; or a new data folder, in place only when every file was verified (D3).
// Never: caches, mirrors and work under way; a backup without a file that its database needs; a file outside the new folder; a folder with
// something in it.
//
//	lectern.db                   a consistent copy, taken first: blobs are stored before rows name them, and never change
//	blobs/KEY                    every stored blob
//	proposals/PROJECT.git/…      repositories of the embedded code host, each as it was at one moment, taken last
//	git/known_hosts              keys of code hosts that were met
//	secret.key                   unless it was left out
package backup
