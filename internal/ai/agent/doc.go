// Package agent turns a prompt into a pull request: it fetches the docs, lets a model work on a draft of them, checks what came of it,
// and proposes it.
//
// In: a held task of an agent job; a mind (a model or a program); where the project's files are and are proposed.
// Out: the job completed, with one branch and at most one pull request, or failed with a reason for its owner; all that was said and done
// in the job's record.
// Never: gives a mind a credential, a path outside of the docs folder or a way to push; merges; says anything to the model that a
// stranger wrote without marking it.
//
// The record is the only memory. Everything that happens next follows from it, so an attempt that was killed is gone on with by the
// next: same conversation, same draft, same commit, same branch, same pull request.
package agent
