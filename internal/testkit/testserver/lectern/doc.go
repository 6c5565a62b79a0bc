// Package lectern is test infrastructure: it builds the program from this repository's source and runs it as users do, as a
// process with arguments, an environment and signals. No process outlives the test that started it.
//
// In: arguments and settings, as text.
// Out: running processes with their output, on a stage with a database and an object store.
// Never: imported by anything but tests; imports of the rooms under test.
package lectern
