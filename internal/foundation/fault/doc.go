// Package fault is the error that reaches people who call the API or the command line: a stable code,
// a sentence they may read, a hint what to do, and a cause that only operators see.
//
// In: a kind, a code and a public sentence, chosen where the mistake is understood.
// Out: an error that doors translate (HTTP status, exit code) without knowing where it came from.
// Never: an HTTP status, a stack, a path, a secret or another organization's data in the public text.
package fault
