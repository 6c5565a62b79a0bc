// Package scaffold generates the files of a new site.
//
// Inputs: a name, a theme, a colour. Outputs: the files of a small site that shows the features of pages and has no
// findings. It never writes to disk, uses the network, or checks which files exist already.
package scaffold
