// Package bundlestore downloads bundles and keeps the latest good ones on a volume, so that a site can be served from
// there without any other service.
//
// Inputs: the source of a bundle, the expected version or digest, a folder.
// Outputs: unpacked and verified versions, a pointer to the served version, and the file for a path of a version.
// It never serves requests, unpacks outside its folder, changes a version once it is complete, or points to a version
// that was not verified (B13).
//
// The folder:
//
//	lock                       held while a server fetches
//	pin                        JSON: the version wanted by the server that started last
//	current                    the pointer: JSON, replaced by a rename
//	source                     JSON: which bundle each source provided and when, for conditional requests, and so that
//	                           an old link never moves the pointer back
//	incoming/                  unfinished work of a server; emptied at its start
//	versions/SHA256/           of the archive
//	    record                 JSON, written last
//	    table                  finds the digest and the sizes of a path with one read
//	    files/ gzip/           the bundle's files; compressed copies where worthwhile
package bundlestore
