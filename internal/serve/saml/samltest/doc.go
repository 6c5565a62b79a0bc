// Package samltest is an identity provider for tests that can send forged responses: it changes them before or after
// it signs.
//
// Inputs: the URL to which a service provider sends a browser. Outputs: the form that the browser posts back.
package samltest
