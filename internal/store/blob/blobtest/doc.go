// Package blobtest is test infrastructure: the conformance suite that every
// driver of package blob passes.
//
// In: a way to open an empty store.
// Out: test failures.
// Never: anything that only one driver promises; that belongs to its own tests.
package blobtest
