// Command claims writes the "Proved by" columns of docs/reference/claims.mdx from the comments of the tests.
//
// A test states the claims it proves at the start of its doc comment: "// J3: …" or "// B13, D4: …".
//
// Inputs: every _test.go file below the current folder, the conformance suites (folders whose names end in "test"),
// and the page with its handwritten ids and claims. Outputs: the page with updated columns and counts, or an error
// for each claim without a test or with nightly ones only, and each unknown id. Never: changes a claim, or judges
// whether a test is good enough.
package main
