//go:build linux && !amd64

package scriptproc

import "github.com/lectern-docs/lectern/internal/script/seccomp"

// architectureRules returns rules for calls that exist only on this architecture: none.
func architectureRules() []seccomp.Rule { return nil }
