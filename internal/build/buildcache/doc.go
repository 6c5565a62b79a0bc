// Package buildcache keeps what builds made in a folder of the local disk, by content key, for the builds that come after.
//
// It is made for one pattern: a build reads ten thousand records or more of some kilobytes, in about the order in which an earlier build
// wrote them, and writes the few that are new; several builds, of one process or of many, use the folder at once; nothing is precious.
// So there are no locks and no database, only packs: files that are written once, under a temporary name, and renamed into place with their
// index at the end. What a crash tore is told by checksums, so nothing is ever synchronised to disk.
//
// Three rules keep the folder small (plan.go has them as functions):
//
//   - Few packs: when four packs of about one size have come together, the next session copies them into its own.
//   - Little garbage: when the folder is three quarters full, the packs that were not used for longest are endangered until half of the
//     bound would be left. A record that is found in one is copied into the session's own pack. While the records that builds use, with
//     those that one build adds, take no more than two fifths of the bound, none of them is lost.
//   - Never more than the bound: endangered packs go first, then others in the order of their last use.
//
// In: keys, which are digests of everything a value depends on, and values; a folder of this user's own.
// Out: the last values that were put, as long as they are there; how much there is.
// Never: a value that differs from what was put (a damaged one is missing), an error that stops a build, a file outside the folder.
package buildcache
