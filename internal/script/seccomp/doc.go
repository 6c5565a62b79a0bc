// Package seccomp filters the system calls of this process and of what it becomes.
//
// In: rules, the first that fits counts, and what happens to calls that none fits.
// Out: a filter on every thread, which cannot be taken off.
// Never: which calls somebody needs; anything on systems other than Linux.
package seccomp
