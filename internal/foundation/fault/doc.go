// Package fault defines the errors that users of the API and the command line see: a stable code, a public message,
// a hint, and a cause that only operators see.
//
// Inputs: a kind, a code and a public message, chosen where the cause of the error is known. Outputs: an error that the
// API and the command line translate to an HTTP status or an exit code without knowing its origin. The public text
// never contains an HTTP status, a stack trace, a path, a secret or another organization's data.
package fault
