package scriptproc

import (
	"os"
	"syscall"
)

// confines reports whether the system supports namespaces.
const confines = true

// apartFlags selects the namespaces of a confined child.
const apartFlags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | syscall.CLONE_NEWPID

func attributes(apart bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		a.Cloneflags = apartFlags
		// Inside the namespace, the process is root; outside, it is the current user. It may therefore change its root
		// folder, but has no privileges outside.
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// program returns the executable to start. /proc/self/exe refers to the running executable even after an upgrade
// has replaced the file.
func program(exe string) string {
	const running = "/proc/self/exe"
	if self, err := os.Executable(); err != nil || self != exe {
		return exe
	}
	if _, err := os.Stat(running); err != nil {
		return exe
	}
	return running
}
