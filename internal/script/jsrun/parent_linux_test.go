package jsrun

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// C2: a process does not outlive the server, no matter how the server ends.
func TestProcessEndsWithItsParent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	parent, err := os.StartProcess(exe, []string{exe, "as-process", "parent"},
		&os.ProcAttr{Files: []*os.File{nil, w, os.Stderr}})
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	var pid int
	if _, err := fmt.Fscan(r, &pid); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	if err := parent.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := parent.Wait(); err != nil {
		t.Fatal(err)
	}
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 20_000); n != 1 || err != nil {
		t.Errorf("the process is still running: %d, %v", n, err)
	}
}
