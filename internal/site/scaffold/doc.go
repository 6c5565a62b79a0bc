// Package scaffold generates the files of a new site.
//
// Inputs: a name, a theme, a colour. Outputs: the files of a small site that demonstrates the features of pages and has
// no findings. It never writes to disk or uses the network, and does not check which files already exist.
package scaffold
