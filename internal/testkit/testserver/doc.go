// Package testserver runs a real server program for the tests of one process and ensures that nothing remains after
// that process, however it ends. The servers are in testserver/postgres, testserver/s3, testserver/gitea and
// testserver/lectern.
//
// Inputs: a program, its arguments, a folder for it. Outputs: a running process with its output. Only tests import
// it. It never replaces a missing program with a fake.
package testserver
