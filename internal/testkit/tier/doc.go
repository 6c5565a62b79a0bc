// Package tier determines which tests run: those for every change (`make test`), or the nightly ones (`make test-all`),
// which are built with the tag nightly. If shorter tests cover the same subject, a slow test is in a file with the tag.
// A test that can do less work uses a number that depends on Nightly.
//
// Only tests import it.
package tier

// Choose returns change in tests for every change, and night in nightly tests.
func Choose[T any](change, night T) T {
	if Nightly {
		return night
	}
	return change
}
