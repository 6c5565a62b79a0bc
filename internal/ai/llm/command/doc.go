// Package command runs a program that the operator chose, such as an agent's command line tool, on a folder.
//
// Inputs: the program and its arguments, the environment variables it may see; then a folder, and a prompt, which
// the program reads from standard input. Outputs: its output, line by line while it runs and complete at the end;
// its changes are in the folder. It never passes on an environment variable that is not listed, nor a credential
// for Git or a code host even if it is listed. It never runs a program outside the sandbox unless the operator
// permits it, and it truncates long output.
package command
