// Package judges runs programs that others wrote against what Lectern writes and answers: validators of API
// descriptions, generators of clients, conformance suites, readers of feeds. They are pinned in package.json, go.mod
// and tools/judgetools/go.mod; `make judges` installs and runs them and prints a table.
//
// Inputs: the program built from this repository, and the judges.
// Outputs: one row per judge in the table, and a failed test for each one that found a mistake.
// Never: a rule of our own. What a judge finds is corrected in the product or excused here by name, with the reason.
package judges
