// Package linediff compares two texts line by line.
//
// In: two texts.
// Out: their differences as hunks, or as a patch in the unified form.
// Never: reads a file; takes more than linear memory and a bounded number of steps, however much the texts differ.
package linediff
