// Package judges checks Lectern's output and responses with third-party programs: validators of API descriptions,
// client generators, conformance suites, feed readers. They are pinned in package.json, go.mod and
// tools/judgetools/go.mod; `make judges` installs and runs them and prints a table.
//
// Inputs: the program built from this repository, and the judges.
// Outputs: one row per judge in the table, and a failed test for each one that found a mistake.
// It has no rules of its own. Every finding of a judge is fixed in the product or excused here by name, with the
// reason.
package judges
