// Package idpfault explains what went wrong with an identity provider.
//
// Inputs: errors of the packages that speak with providers.
// Outputs: faults for the person who signs in, with a cause for the log that is one bounded line and has no secret.
package idpfault
