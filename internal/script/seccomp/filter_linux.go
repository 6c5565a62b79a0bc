package seccomp

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Action is what the kernel does with a call.
type Action uint32

// The actions.
const (
	Allow  Action = unix.SECCOMP_RET_ALLOW
	Refuse Action = unix.SECCOMP_RET_ERRNO | Action(unix.EPERM)
	// the kernel acts as if it did not have the call, so that programs fall back to an older one
	Missing Action = unix.SECCOMP_RET_ERRNO | Action(unix.ENOSYS)
)

// Rule matches a system call if the low half of one of its arguments, masked with Mask, equals Want. If Not is set, it
// matches if they differ. A mask of 0 matches any argument.
type Rule struct {
	Call       uint32
	Arg        uint32
	Mask, Want uint32
	Not        bool
	Do         Action
}

// Supported reports whether filters exist for this architecture.
func Supported() bool { return architecture != 0 }

// Install installs a filter on every thread of the process. The calling goroutine must be locked to a thread that
// has no_new_privs set. Calls that use the numbering of another architecture are refused.
func Install(rules []Rule, otherwise Action) error {
	program := compile(rules, otherwise)
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	failed, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&p)))
	runtime.KeepAlive(program)
	switch {
	case errno != 0:
		return fmt.Errorf("install system call filter: %w", errno)
	case failed != 0:
		return fmt.Errorf("install system call filter: thread %d refused it", failed)
	}
	return nil
}

// Offsets in the kernel's seccomp_data.
const (
	offCall = 0
	offArch = 4
	offArgs = 16 // eight bytes each; the low half comes first on the supported architectures
)

const otherNumbers = 0x40000000 // calls of amd64's x32 numbering start here

func compile(rules []Rule, otherwise Action) []unix.SockFilter {
	statement := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	jump := func(test uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	load := func(at uint32) unix.SockFilter { return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at) }
	end := func(a Action) unix.SockFilter { return statement(unix.BPF_RET|unix.BPF_K, uint32(a)) }

	out := []unix.SockFilter{load(offArch), jump(unix.BPF_JEQ, architecture, 1, 0), end(Refuse),
		load(offCall), jump(unix.BPF_JGE, otherNumbers, 0, 1), end(Refuse)}
	for _, r := range rules {
		if r.Mask == 0 {
			out = append(out, jump(unix.BPF_JEQ, r.Call, 0, 1), end(r.Do))
			continue
		}
		fits := jump(unix.BPF_JEQ, r.Want, 0, 1)
		if r.Not {
			fits = jump(unix.BPF_JEQ, r.Want, 1, 0)
		}
		out = append(out, jump(unix.BPF_JEQ, r.Call, 0, 5),
			load(offArgs+8*r.Arg), statement(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, r.Mask), fits, end(r.Do),
			load(offCall))
	}
	return append(out, end(otherwise))
}
