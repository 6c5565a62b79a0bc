//go:build !nightly

package tier

// Nightly reports whether the tests of every night run.
const Nightly = false
