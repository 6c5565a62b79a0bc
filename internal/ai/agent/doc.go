// Package agent turns a prompt into a pull request: it fetches the docs, lets a model work on a draft of them,
// checks the result, and proposes it.
//
// Inputs: a held task of an agent job; an engine (a model or a program); where to fetch and propose the project's
// files. Outputs: the job completed, with one branch and at most one pull request, or failed with a reason for its
// owner; every message and action in the job's record. It never gives an engine a credential, a path outside the
// docs folder or a way to push, never merges, and never passes untrusted text to the model without marking it.
//
// The record is the only state. Each step follows from it, so the next attempt continues where a killed one
// stopped: same conversation, same draft, same commit, same branch, same pull request.
package agent
