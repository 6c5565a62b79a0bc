// Package tier determines which tests run: those for every change (`make test`), or the nightly ones (`make
// test-all`), which are built with the tag nightly. A slow test that is backed up by shorter tests has the tag in its
// file. A test that can do less work has a number that depends on Nightly.
//
// Only tests import it.
package tier

// Choose returns the first value in tests for every change, and the second in nightly tests.
func Choose[T any](change, night T) T {
	if Nightly {
		return night
	}
	return change
}
