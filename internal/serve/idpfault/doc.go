// Package idpfault describes errors of identity providers.
//
// Inputs: errors from the packages that communicate with providers. Outputs: faults for the person signing in; their
// cause, for the log, is one line of limited length without secrets.
package idpfault
