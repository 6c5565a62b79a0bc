//go:build !linux && !darwin

package scriptproc

import (
	"os"
	"syscall"
)

// confines reports whether the system supports namespaces.
const confines = false

func attributes(bool) *syscall.SysProcAttr { return nil }

// program returns the executable to start.
func program(exe string) string { return exe }

func end(p *os.Process) { _ = p.Kill() } // it may have ended already

// Confine does nothing on this system.
func Confine() error { return nil }
