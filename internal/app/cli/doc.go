// Package cli is the program's command line: one file per command.
//
// In: arguments, environment, standard streams, a clock and randomness, all passed in by main.
// Out: the command's effect, and one of these exit codes:
//
//	0  done
//	1  failed
//	2  wrong usage or a bad setting
//	3  refused: the key is missing, wrong or may not do this
//	4  not found
//	5  conflict with what is there already
//
// Results go to standard output, one JSON value with --json; everything else goes to standard error.
//
// Never: rules of the ledger, start order, names of settings; it parses, calls a room below, and prints. The command-line
// library enters the house here and nowhere else.
package cli
