// Package diag holds what an author is told about their own files: a position, a stable code, a sentence and a hint.
//
// In: facts found while a site is read and rendered.
// Out: Diagnostic values and ordered lists of them, ready for JSON.
// Never: stops work, prints, or speaks about the server; operators' errors travel as Go errors.
package diag
