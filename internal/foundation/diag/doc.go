// Package diag defines diagnostics about an author's files: a position, a stable code, a message and a hint.
//
// Inputs: findings from loading and rendering a site. Outputs: Diagnostic values and ordered lists of them, ready
// for JSON. It never stops a build, prints, or reports problems of the server, which are ordinary Go errors.
package diag
