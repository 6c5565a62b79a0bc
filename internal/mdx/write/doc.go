// Package write edits the source of a page and leaves every other byte unchanged.
//
// Inputs: the bytes of a page, its tree, and the change to make. Outputs: edits of spans and the resulting bytes; a
// formatter that verifies that the page keeps its meaning. It never writes files, does not depend on components, and
// does not print a tree from scratch.
package write
