// Package access defines who may read a project's site: everyone, or only authenticated readers.
//
// Inputs: an operator's settings, and the result of a sign-in. Outputs: settings that are complete for their mode, and
// reader sessions. It never checks a password or a token, and never stores a secret in plain text.
package access
