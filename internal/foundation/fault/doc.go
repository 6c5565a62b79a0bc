// Package fault defines the errors that callers of the API and the command line see: a stable code, a public message, a
// hint, and a cause that only operators see.
//
// Inputs: a kind, a code and a public message, chosen where the error is understood.
// Outputs: an error that the API and the command line translate (HTTP status, exit code) without knowing where it came
// from.
// The public text never contains an HTTP status, a stack trace, a path, a secret or another organization's data.
package fault
