// Package merge merges or closes proposals of the embedded code host, lists their changes, and commits requested
// changes to their branches: suggested edits, the latest state of the base, only some of the files.
//
// Inputs: a proposal and who decides on it. Outputs: the merged branch; the merged files of a folder source; and, in
// one transaction, the proposal's state, the agent job's note, the audit record and the deployment. Merging and
// closing are idempotent: repeating them, even after a crash at any point, has the same result. Branches created by
// Lectern are deleted after a merge. It never checks who may decide, never writes a file in a folder source that
// changed since it was read, and never leaves partial state in the database.
package merge
