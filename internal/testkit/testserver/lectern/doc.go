// Package lectern builds the program from this repository's source for tests and runs it as users do, as a process
// with arguments, an environment and signals. No process remains after the test that started it.
//
// Inputs: arguments and settings, as text. Outputs: running processes with their output, and an environment with a
// database and an object store. Only tests import it. It never imports the packages under test.
package lectern
