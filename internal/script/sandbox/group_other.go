//go:build !unix

package sandbox

import (
	"os"
	"syscall"
)

func group() *syscall.SysProcAttr { return nil }

func endGroup(p *os.Process) { _ = p.Kill() } // it may have ended already

func signal(*os.ProcessState) int { return 0 }
