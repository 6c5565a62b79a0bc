// Package samltest is an identity provider for tests. It can send forged responses, which it changes before or after
// signing them.
//
// Inputs: the URL to which a service provider sends a browser. Outputs: the form that the browser posts back.
package samltest
