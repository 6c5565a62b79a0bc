// Package testkit documents the packages that only tests import: the layout test, and real servers for tests.
//
// Conformance suites of drivers are next to the drivers, for example store/storetest.
package testkit
