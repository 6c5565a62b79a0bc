// Package push defines the interface between the code host drivers and the packages that act on pushes.
//
// Inputs: the fields a driver read from an event.
// Outputs: one type for every host's push, and the checks that all drivers share.
// It never names a code host or one of its headers.
package push
