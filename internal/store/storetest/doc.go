// Package storetest is the conformance suite of the store; every engine passes the same tests.
//
// Inputs: a function that creates an empty database and returns its URL.
// Outputs: test failures.
// Only tests import it. It does not know which engine runs, except where it must send a raw statement.
//
// A test that proves a claim of docs/reference/claims.mdx states its id at the start of its comment (J1: …).
package storetest
