package scriptproc

import "golang.org/x/sys/unix"

// architectureRules are the architecture's name and the calls that only it has.
func architectureRules() (uint32, []rule) { return unix.AUDIT_ARCH_AARCH64, nil }
