// Package lazyregexp compiles regular expressions when they are first used. The program has about two hundred of them,
// and most processes use few. Compiling all of them at every start took a quarter of the time of a short command, and
// their memory stayed in use.
//
// Inputs: patterns of the source code. Outputs: the methods of regexp.Regexp. In a test program, an invalid pattern
// panics at the start. In other programs, it panics at its first use.
//
// The standard library has a similar package, but it is internal.
package lazyregexp
