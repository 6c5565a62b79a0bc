// Package deb writes Debian packages.
//
// Inputs: control fields, files, conffiles, scripts, a time. Outputs: the package's bytes, the same for the same input.
// It does not run Debian's programs, so packages can be built on any system. The tests verify the result with these
// programs.
package deb
