// Package merge merges or closes proposals of the embedded code host, lists their changes, and commits on their branches
// what people ask for: suggested edits, the newest state of the base, only some of the files.
//
// Inputs: a proposal and who decides about it.
// Outputs: the merged branch, the files of a folder source as the merge leaves them, and in one transaction the
// proposal's state, the agent job's note, the audit record and the deployment. Merging and closing are idempotent:
// repeating it, also after a crash at any point, has the same result. A branch of ours is deleted once it is merged.
// It never checks who may decide, never writes a file of a folder that changed since it was read, and never leaves
// partial state in the database.
package merge
