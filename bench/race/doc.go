// Package race runs exports of generated sites beside other generators on the same pages and prints what each took:
// time, processor time and peak memory, with ratios. Every figure is of a process of its own, measured from outside.
//
// Inputs: options, the program to measure, the lock files of the peers. Outputs: a table on a writer, and an error when a peer
// could not take part or a program did not do its work. Never: figures of a run whose output was not looked at.
package race
