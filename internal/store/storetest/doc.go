// Package storetest is the conformance suite for the store. Every engine must pass the same tests. It also creates
// migrated databases for the tests of other packages.
//
// Inputs: functions that create an empty and a migrated database and return its URL. Outputs: test failures, database
// files. Only tests import it. It does not depend on the engine, except in places where it must send a raw statement.
//
// A test that proves a claim of docs/reference/claims.mdx states its id at the start of its comment (J1: …).
package storetest
