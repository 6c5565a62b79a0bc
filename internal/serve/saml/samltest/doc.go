// Package samltest is an identity provider for tests that can lie: it changes what it says before it signs, and what it
// signed afterwards.
//
// Inputs: the address that a service provider sends a browser to.
// Outputs: the form that the browser brings back.
package samltest
