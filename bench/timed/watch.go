package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// watch observes a process group while it runs. Read its fields after run has returned.
type watch struct {
	group  int
	spare  int64  // bytes of disk space to keep free
	peak   int64  // bytes: the maximum total memory of all processes of the group at one time
	killed string // why the group was killed, or ""
}

// every is the sampling interval: each sample reads the process table, which takes a few milliseconds.
const every = 200 * time.Millisecond

func (w *watch) run(done, orphaned <-chan struct{}, late <-chan time.Time) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-orphaned:
			w.kill("orphaned")
			orphaned = nil
		case <-late:
			w.kill("limit")
		case <-tick.C:
			w.peak = max(w.peak, w.resident())
			if w.killed == "" && w.room() < w.spare {
				w.kill("disk")
			}
		}
	}
}

func (w *watch) kill(why string) {
	w.killed = why
	w.end()
}

// end kills the remaining processes of the group.
func (w *watch) end() { _ = syscall.Kill(-w.group, syscall.SIGKILL) } // there may be none left

// room returns the free space on the disk of the current directory.
func (w *watch) room() int64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(".", &fs); err != nil {
		return w.spare
	}
	return int64(fs.Bavail) * int64(fs.Bsize)
}

// resident returns the total memory of the group's processes; shared pages count for each. It returns 0 on systems
// without /proc.
func (w *watch) resident() int64 {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	var sum int64
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			sum += residentOf(pid, w.group)
		}
	}
	return sum
}

// residentOf parses one line: "pid (name) state parent group … resident …". The name may contain any character;
// resident is the 24th field, in pages.
func residentOf(pid, group int) int64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // the process has exited
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 22 || string(fields[2]) != strconv.Itoa(group) {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[21]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
