package sandbox

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// inside is the program's user and group id inside the sandbox.
const inside = 1000

// enter is the first stage, process 1 of the new namespaces. It builds the root, starts the second stage and waits
// until it exits.
func enter(o order) report {
	runtime.LockOSThread() // the second stage dies with the thread that started it
	if os.Getpid() != 1 {
		return failed("enter", errors.New("not started in its own namespaces"))
	}
	if o.Root {
		if err := unix.Setgroups([]int{}); err != nil {
			return failed("leave groups", err)
		}
	}
	if err := unix.Sethostname([]byte("sandbox")); err != nil {
		return failed("name the host", err)
	}
	if err := buildRoot(o); err != nil {
		return failed("build the root", err)
	}
	if o.Proxy {
		if err := offerProxy(); err != nil {
			return failed("offer a proxy", err)
		}
	}
	l, err := newLink()
	if err != nil {
		return failed("begin", err)
	}
	defer l.close()
	cmd := exec.Command(self, append(append([]string{}, o.Args...), "begin")...)
	cmd.Env, cmd.Dir = []string{}, Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, os.Stderr, l.theirs
	cmd.SysProcAttr = ordinary(o)
	if err := cmd.Start(); err != nil {
		return failed("begin", err)
	}
	l.started()
	// From here on, no process inside can inspect this one. This cannot be set earlier, because the kernel would then
	// not let us write the child's user map.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return failed("close the first process", err)
	}
	got, err := exchange(l, o)
	switch {
	case err == nil:
		return got
	case !errors.Is(err, io.EOF): // EOF: the second stage closed its end because it has become the program
		return failed("begin", err)
	}
	return supervise(cmd.Process.Pid, o)
}

// ordinary returns the process attributes with which the second stage runs as an ordinary user in a nested user
// namespace. That namespace owns none of the mounts made here.
func ordinary(o order) *syscall.SysProcAttr {
	outside := 0 // root in our user namespace, which is an ordinary user of the machine
	if o.Root {
		outside = nobody
	}
	ids := []syscall.SysProcIDMap{{ContainerID: inside, HostID: outside, Size: 1}}
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL, Cloneflags: unix.CLONE_NEWUSER,
		UidMappings: ids, GidMappings: ids,
		Credential: &syscall.Credential{Uid: inside, Gid: inside, NoSetGroups: true}}
}

// supervise waits for the program and reaps orphans, as process 1 must. It kills all processes if together they exceed
// a limit.
func supervise(pid int, o order) report {
	var exceeded atomic.Pointer[string]
	stop := make(chan struct{})
	defer close(stop)
	end := func(what string) {
		exceeded.CompareAndSwap(nil, &what)
		_ = unix.Kill(-1, unix.SIGKILL) // every process but this one
	}
	go watchMemory(o.Limits, stop, end)
	go watchDisk(o.Limits, stop, end)
	for {
		var status unix.WaitStatus
		got, err := unix.Wait4(-1, &status, 0, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return failed("wait", err)
		}
		if got != pid || !status.Exited() && !status.Signaled() {
			continue
		}
		result := report{Ended: true, Exit: status.ExitStatus()}
		if status.Signaled() {
			result.Exit = 128 + int(status.Signal())
		}
		if what := exceeded.Load(); what != nil {
			result.Exceeded = *what
		}
		return result
	}
}
