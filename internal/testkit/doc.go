// Package testkit documents the packages that only tests import: the layout test, and real servers that tests start.
//
// Conformance suites of drivers are beside the drivers, for example store/storetest.
package testkit
