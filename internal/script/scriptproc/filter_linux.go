package scriptproc

import (
	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// allowed returns rules for the calls that a running Go program makes. All other calls are refused.
func allowed() []seccomp.Rule {
	list := architectureRules()
	for _, call := range []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
		unix.SYS_CLOCK_GETTIME, unix.SYS_SCHED_YIELD,
		unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_RT_SIGACTION,
		unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL,
		unix.SYS_SCHED_GETAFFINITY, unix.SYS_RESTART_SYSCALL,
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
		// a C library makes these calls for each new thread of a program built with cgo; without them, the program
		// exits
		unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST,
	} {
		list = append(list, seccomp.Rule{Call: call, Do: seccomp.Allow})
	}
	return append(list,
		seccomp.Rule{Call: unix.SYS_MMAP, Arg: 2, Mask: unix.PROT_EXEC, Want: 0, Do: seccomp.Allow}, // no executable memory
		seccomp.Rule{Call: unix.SYS_MPROTECT, Arg: 2, Mask: unix.PROT_EXEC, Want: 0, Do: seccomp.Allow},
		// threads, but not processes
		seccomp.Rule{Call: unix.SYS_CLONE, Arg: 0, Mask: unix.CLONE_THREAD, Want: unix.CLONE_THREAD, Do: seccomp.Allow},
		// Go wakes its own threads with this call
		seccomp.Rule{Call: unix.SYS_TGKILL, Arg: 0, Mask: 0xffffffff, Want: uint32(unix.Getpid()), Do: seccomp.Allow},
		// to create threads, a C library tries this call first, and falls back to the older one
		seccomp.Rule{Call: unix.SYS_CLONE3, Do: seccomp.Missing},
	)
}
