// Package push is the contract between the code host drivers and those who act on pushes.
//
// In: a driver's findings.
// Out: one shape for every host's push, and the checks that all drivers share.
// Never: the name of a code host or of one of its headers.
package push
