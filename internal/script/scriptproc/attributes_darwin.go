package scriptproc

import "syscall"

// confines reports whether the system supports namespaces.
const confines = false

func attributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// program returns the executable to start.
func program(exe string) string { return exe }
