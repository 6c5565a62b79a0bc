// Package diag defines diagnostics about an author's files: a position, a stable code, a message and a hint.
//
// Inputs: findings made while a site is loaded and rendered.
// Outputs: Diagnostic values and ordered lists of them, ready for JSON.
// It never stops a build, prints, or reports problems of the server; those are ordinary Go errors.
package diag
