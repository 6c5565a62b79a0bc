package scriptproc

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rule lets a system call through, if the low half of one of its arguments, masked, is as wanted. A mask of 0 asks for nothing.
type rule struct {
	call       uint32
	arg        uint32
	mask, want uint32
}

// allowed is what a Go program calls while it runs, for the architectures whose numbers we know; nil for others.
func allowed() []rule {
	architecture, own := architectureRules()
	if architecture == 0 {
		return nil
	}
	list := own
	for _, call := range []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_SCHED_YIELD,
		unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL, unix.SYS_SCHED_GETAFFINITY, unix.SYS_RESTART_SYSCALL,
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	} {
		list = append(list, rule{call: call})
	}
	return append(list,
		rule{unix.SYS_MMAP, 2, unix.PROT_EXEC, 0}, // no new code
		rule{unix.SYS_MPROTECT, 2, unix.PROT_EXEC, 0},
		rule{unix.SYS_CLONE, 0, unix.CLONE_THREAD, unix.CLONE_THREAD}, // threads, no processes
		rule{unix.SYS_TGKILL, 0, 0xffffffff, uint32(unix.Getpid())},   // Go wakes its own threads so
	)
}

// Places in the kernel's seccomp_data.
const (
	offCall = 0
	offArch = 4
	offArgs = 16 // eight bytes each, the low half first on the machines we know
)

func compile(rules []rule) []unix.SockFilter {
	architecture, _ := architectureRules()
	statement := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	equal := func(k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	load := func(at uint32) unix.SockFilter { return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at) }
	allow := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW)
	deny := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))

	out := []unix.SockFilter{load(offArch), equal(architecture, 1, 0), deny, load(offCall)}
	for _, r := range rules {
		if r.mask == 0 {
			out = append(out, equal(r.call, 0, 1), allow)
			continue
		}
		out = append(out, equal(r.call, 0, 5),
			load(offArgs+8*r.arg), statement(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, r.mask), equal(r.want, 0, 1), allow, deny)
	}
	// A program built with a C library starts threads by the newer call and falls back to the older one only if there is no such call.
	missing := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS))
	return append(out, equal(unix.SYS_CLONE3, 0, 1), missing, deny)
}

// install puts the filter on every thread of the process; it cannot be taken off.
func install(program []unix.SockFilter) error {
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	failed, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&p)))
	runtime.KeepAlive(program)
	switch {
	case errno != 0:
		return fmt.Errorf("install system call filter: %w", errno)
	case failed != 0:
		return fmt.Errorf("install system call filter: thread %d does not take it", failed)
	}
	return nil
}
