// Package powercut is a file system for tests that records every change and every fsync, and rebuilds what a disk
// may contain after a power cut at any point. Programs use it like any other folder. It is a FUSE file system, so
// the test needs root.
//
// Inputs: changes by real programs, made through the kernel. Outputs: folders as a power cut would leave them,
// without the data that was not synced. Only tests import it.
package powercut
