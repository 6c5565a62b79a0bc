// Package access defines who may read a project's site: everybody, or readers who prove something.
//
// Inputs: what an operator sets, and what a sign-in proved.
// Outputs: settings that are complete for their mode, and sessions of readers.
// It never checks a password or a token, and never stores a secret in plain text.
package access
