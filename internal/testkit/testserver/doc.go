// Package testserver is test infrastructure: it runs a real server program for
// the tests of one process and lets nothing of it outlive that process, however
// the process ends. The servers are in testserver/postgres,
// testserver/s3, testserver/gitea and testserver/lectern.
//
// In: a program, its arguments, a folder of its own.
// Out: a running process with its output.
// Never: imported by anything but tests; a stand-in for a missing program.
package testserver
