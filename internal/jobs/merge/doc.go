// Package merge decides about proposals of the embedded code host: it merges or closes them, and tells what they change.
//
// In: a proposal and who decides about it.
// Out: the merged branch, the files of a folder source as the merge leaves them, and in one transaction the proposal's state, the agent
// job's note, the audit record and the deployment. A decision made twice, or again after a crash at any place, ends the same.
// Never: who may decide; a file of a folder that changed since it was looked at; half a state in the database.
package merge
