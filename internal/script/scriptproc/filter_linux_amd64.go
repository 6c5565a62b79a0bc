package scriptproc

import (
	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// architectureRules returns the calls that only this architecture has.
func architectureRules() []seccomp.Rule {
	return []seccomp.Rule{{Call: unix.SYS_EPOLL_WAIT, Do: seccomp.Allow},
		{Call: unix.SYS_GETTIMEOFDAY, Do: seccomp.Allow}}
}
