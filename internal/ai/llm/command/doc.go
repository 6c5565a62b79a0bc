// Package command makes a program of an operator's choice, such as an agent's command line tool, work on a folder.
//
// In: the program and its arguments, the variables it may see; then a folder, and a prompt, which the program reads from its standard input.
// Out: what it said, line by line as it comes and in the end; what it did is in the folder.
// Never: an environment that was not listed, credentials of Git or a code host even if they were, a program outside the sandbox unless the
// operator says so, or more of its words than a person would read.
package command
