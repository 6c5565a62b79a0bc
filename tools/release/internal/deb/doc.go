// Package deb writes Debian packages.
//
// Inputs: what the control file says, files, conffiles, scripts, a time. Outputs: the package's bytes, the same for the same
// input. Never: a program of Debian's: packages can be made on any system. The tests ask Debian's own programs about
// the result.
package deb
