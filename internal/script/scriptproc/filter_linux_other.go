//go:build linux && !amd64

package scriptproc

import "github.com/lectern-docs/lectern/internal/script/seccomp"

// architectureRules returns the calls that only this architecture has: none.
func architectureRules() []seccomp.Rule { return nil }
