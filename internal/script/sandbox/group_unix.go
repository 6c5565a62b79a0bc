//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills a process and its group. Either may have ended already.
func endGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}

func signal(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}
