// Package tier says which tests run: those of every change (`make test`), or those of every night (`make test-all`), which
// are built with the tag nightly. A test that takes long and that shorter ones back up has the tag in its file; one that
// can do less has a number that depends on Nightly.
//
// Only tests import it.
package tier

// Choose returns the first value for the tests of every change, and the second for those of every night.
func Choose[T any](change, night T) T {
	if Nightly {
		return night
	}
	return change
}
