// Package seccomp filters the system calls of this process and of the programs it executes.
//
// Inputs: rules, tried in order until one matches, and an action for calls that match none.
// Outputs: a filter on every thread that cannot be removed.
// It never decides which calls a program needs, and does nothing on systems other than Linux.
package seccomp
