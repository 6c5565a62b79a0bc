// Package testkit documents the packages that only tests import: the test of the layout, and real servers that tests start.
//
// Conformance suites of drivers stand beside the drivers, for example store/storetest.
package testkit
