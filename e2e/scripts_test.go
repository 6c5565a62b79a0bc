package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// C2: a server runs author code in a process that has none of its secrets and that exits with the server, however the
// server ends.
func TestAuthorCodeIsIsolatedAndStopsWithServer(t *testing.T) {
	t.Parallel()
	dir := site(t, 1)
	write(t, dir+"/index.mdx",
		"---\ntitle: Home\n---\n\n{(() => { const a = 'x'.repeat(1e7), b = 'x'.repeat(1e7); for (;;) if (a !== b) break })()}\n")
	data := t.TempDir()
	p := serve(t, data, []string{"LECTERN_SECRET_KEY=" + strings.Repeat("canary", 8)}, "--first-site", "off")
	key := command(t, []string{"LECTERN_SECRET_KEY=" + strings.Repeat("canary", 8)}, "keys", "create", "--data", data)
	command(t, []string{"LECTERN_URL=" + p.url, "LECTERN_KEY=" + key}, "projects", "create", "--name", "Loop",
		"--domain", "loop.localhost", "--path", dir)
	var pid int
	p.Await("a process for author code", func() bool {
		pid = childOf(t, p.Pid(), "internal-scripts")
		return pid > 0
	})
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err != nil || len(env) > 0 {
		t.Errorf("its environment is %q, %v", env, err)
	}
	p.Kill()
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(patience.Milliseconds())); n != 1 ||
		err != nil {
		t.Errorf("it outlived the server: %d, %v", n, err)
	}
}

// childOf returns the id of the process that parent started with the argument, or 0 if there is none.
func childOf(t *testing.T, parent int, argument string) int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		status, _ := os.ReadFile("/proc/" + e.Name() + "/status") // it may be gone, or not be a process
		line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		var pid int
		if strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", parent)) &&
			strings.Contains(string(line), argument) {
			if _, err := fmt.Sscan(e.Name(), &pid); err == nil {
				return pid
			}
		}
	}
	return 0
}
