// Package powercut is test infrastructure: a file system that remembers every change and every fsync, and rebuilds what a disk may hold
// after a power cut at any point. Programs use it like any other folder; it is a FUSE file system, so the test needs root.
//
// In: changes by real programs, made through the kernel.
// Out: folders as a power cut would leave them, with everything lost that was not synced.
// Never: imported by anything but tests.
package powercut
