// Package buildcache stores results of builds in a local folder, by content key, for later builds.
//
// It is designed for one access pattern: a build reads ten thousand or more records of some kilobytes, in about the
// order in which an earlier build wrote them, and writes the few that are new; several builds, in one or more
// processes, use the folder concurrently; every record can be rebuilt. So there are no locks and no database, only
// packs: files that are written once, under a temporary name, and renamed with their index at the end. Checksums detect
// files that a crash truncated, so nothing is ever synced to disk.
//
// Three rules keep the folder small (plan.go implements them):
//
//   - Few packs: when there are four packs of about the same size, the next session copies them into its own.
//   - Little garbage: when the folder is three quarters full, the least recently used packs become endangered, until
//     the rest take up at most half of the limit. A record found in an endangered pack is copied into the session's own
//     pack. No record in use is lost as long as the records that builds use, together with those that one build adds,
//     take no more than two fifths of the limit.
//   - Never more than the limit: endangered packs are removed first, then others in the order of their last use.
//
// Inputs: keys, which are digests of everything a value depends on, and values; a folder that only this user can
// access. Outputs: the values stored last, until they are evicted; the size of the cache. It never returns a value that
// differs from the one stored (a damaged one is a miss), stops a build with an error, or writes outside the folder.
package buildcache
