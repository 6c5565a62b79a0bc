package scriptproc

import (
	"os"
	"syscall"
)

// confines tells whether the system has namespaces.
const confines = true

// apartFlags are the namespaces of a child that stands apart.
const apartFlags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | syscall.CLONE_NEWPID

func attributes(apart bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		a.Cloneflags = apartFlags
		// Root there, nobody here: it may change its root folder, and has no right outside.
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// program is the file to start. This very program is named so that it is found after an upgrade has put another in its place.
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
