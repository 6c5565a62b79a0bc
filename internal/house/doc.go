// Package house holds no code, only the test that keeps every package of this module in its place.
//
// In: the source of the module.
// Out: a failure for a package on no floor, an import that climbs, a library that enters by a second door, and other
// breaches of the house rules; plan_test.go is the plan, with a reason beside each exception.
// Never: imported.
package house
