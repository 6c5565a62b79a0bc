package scriptproc

import (
	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// architectureRules returns rules for calls that exist only on this architecture.
func architectureRules() []seccomp.Rule {
	return []seccomp.Rule{{Call: unix.SYS_EPOLL_WAIT, Do: seccomp.Allow},
		{Call: unix.SYS_GETTIMEOFDAY, Do: seccomp.Allow}}
}
