// Package cli implements the command line, one file per command.
//
// Inputs: arguments, environment, standard streams, a clock and randomness, all passed in by main.
// Outputs: the command's effect, and one of these exit codes:
//
//	0  done
//	1  failed
//	2  wrong usage or invalid setting
//	3  denied: the API key is missing, invalid or lacks permission
//	4  not found
//	5  conflict with the current state
//
// Results go to standard output, as one JSON value with --json; everything else goes to standard error.
//
// It has no domain rules, no start order and no names of settings: it parses, calls a package of a lower layer, and
// prints. No other package imports the command-line library.
package cli
