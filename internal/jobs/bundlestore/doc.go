// Package bundlestore receives bundles and keeps the last good ones on a volume, so that a site can be served from there without anybody's help.
//
// In: where a bundle comes from, what is expected of it, a folder.
// Out: versions, unpacked and verified; a pointer to the one that is served; what lies behind a path of one.
// Never: serves, unpacks outside of its folder, changes a version once it is whole, or points to one that was not verified (B13).
//
// The folder:
//
//	lock                       held while a server fetches
//	pin                        JSON: what the server that started last wants
//	current                    the pointer: JSON, replaced by a rename
//	source                     JSON: which source gave what and when, so that it is asked cheaply and an old link moves no pointer back
//	incoming/                  half-done work of a server; emptied at its start
//	versions/SHA256/           of the archive
//	    record                 JSON, written last
//	    table                  where each path's digest and sizes are found with one read
//	    files/ gzip/           the bundle's files; those worth it, compressed
package bundlestore
