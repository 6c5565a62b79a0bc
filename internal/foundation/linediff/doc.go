// Package linediff compares two texts line by line.
//
// Inputs: two texts.
// Outputs: their differences as hunks, or as a patch in unified format.
// It never reads a file; memory is linear and the number of steps bounded, however much the texts differ.
package linediff
