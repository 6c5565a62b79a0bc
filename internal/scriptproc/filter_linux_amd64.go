package scriptproc

import "golang.org/x/sys/unix"

// architectureRules are the architecture's name and the calls that only it has.
func architectureRules() (uint32, []rule) {
	return unix.AUDIT_ARCH_X86_64, []rule{{call: unix.SYS_EPOLL_WAIT}, {call: unix.SYS_GETTIMEOFDAY}}
}
