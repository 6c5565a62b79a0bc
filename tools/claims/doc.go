// Command claims writes the "Proved by" columns of docs/reference/claims.mdx from the comments of the tests.
//
// A test states the claims it proves at the start of its doc comment: "// J3: …" or "// B13, D4: …".
//
// Inputs: every _test.go file below the current folder, the conformance suites (folders whose names end in "test"), and
// the page, whose ids and sentences people write.
// Outputs: the page with its columns and its count, or an error for each claim without a test and each unknown id.
// Never: a change of a sentence; a judgement whether a test is good enough.
package main
