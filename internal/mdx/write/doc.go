// Package write edits the source of a page and leaves every other byte unchanged.
//
// Inputs: a page's bytes, its tree, and the change to make.
// Outputs: edits of spans and the resulting bytes; a formatter that verifies that the page still means the same.
// It never writes files, knows a component, or prints a tree from scratch.
package write
