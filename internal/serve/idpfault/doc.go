// Package idpfault describes errors of identity providers.
//
// Inputs: errors of the packages that communicate with providers. Outputs: faults for the person who signs in; their
// cause, for the log, is one line of limited length without secrets.
package idpfault
