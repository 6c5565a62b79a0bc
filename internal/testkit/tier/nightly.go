//go:build nightly

package tier

// Nightly reports whether the nightly tests run.
const Nightly = true
