// Package layout tests the layout of the module: the order of the layers and the rules in AGENTS.md. It has no other
// code.
package layout
