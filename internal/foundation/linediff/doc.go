// Package linediff compares two texts line by line.
//
// Inputs: two texts. Outputs: their differences as hunks, or as a patch in unified format. It never reads files.
// Memory is linear and the number of steps is limited, however different the texts are.
package linediff
