// Package linediff compares two texts line by line.
//
// Inputs: two texts. Outputs: their differences as hunks, or as a patch in unified format. It never reads files. It
// takes linear memory and a limited number of steps, no matter how different the texts are.
package linediff
