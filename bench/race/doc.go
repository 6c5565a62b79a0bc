// Package race compares exports of generated sites with other generators on the same pages and prints the time,
// processor time and peak memory of each, with ratios. Each figure is measured from outside, in a separate process.
//
// Inputs: options, the program to measure, the lock files of the other generators. Outputs: a table on a writer, and
// an error if a generator could not be run or a program did not do its work. It never prints figures of a run whose
// output was not checked.
package race
