// Package storetest is test infrastructure: the conformance suite of the store, the same for every engine.
//
// In: a function that makes an empty database and returns its URL.
// Out: test failures.
// Never: imported by anything but tests; knowledge of which engine runs, except where a raw statement must reach it.
//
// A test that proves a claim of docs/reference/claims.mdx states its id at the start of its comment (J1: …).
package storetest
