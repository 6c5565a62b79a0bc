//go:build linux && !amd64

package scriptproc

import "github.com/lectern-docs/lectern/internal/script/seccomp"

// architectureRules returns no rules, because no further calls exist only on this architecture.
func architectureRules() []seccomp.Rule { return nil }
