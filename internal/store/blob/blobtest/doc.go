// Package blobtest is the conformance suite that every driver of package blob passes.
//
// Inputs: a function that opens an empty store. Outputs: test failures. It never tests guarantees that only one driver
// gives; these belong in the driver's own tests.
package blobtest
