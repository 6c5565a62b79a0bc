// Package storetest is test infrastructure: the conformance suite of the store, the same for every engine.
//
// In: a function that makes an empty database and returns its URL.
// Out: test failures.
// Never: imported by anything but tests; knowledge of which engine runs, except where a raw statement must reach it.
//
// A test that proves a claim of docs/reference/claims.mdx names its id (J1, A4, D8 …) in its comment.
package storetest
