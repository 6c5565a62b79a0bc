//go:build linux && !amd64 && !arm64

package scriptproc

// architectureRules has no filter for this architecture.
func architectureRules() (uint32, []rule) { return 0, nil }
