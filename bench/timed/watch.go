package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// watch looks at a process group while it runs. Its fields are read when run has returned.
type watch struct {
	group  int
	spare  int64  // bytes of disk to leave
	peak   int64  // bytes: the most that all processes of the group had together at one look
	killed string // why the group was ended, or ""
}

// every is the time between two looks: each reads the table of processes, which costs a few milliseconds.
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

// end ends whatever is left of the group.
func (w *watch) end() { _ = syscall.Kill(-w.group, syscall.SIGKILL) } // there may be nothing left

// room returns how much the disk of the current folder can take.
func (w *watch) room() int64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(".", &fs); err != nil {
		return w.spare
	}
	return int64(fs.Bavail) * int64(fs.Bsize)
}

// resident returns what the processes of the group have in memory together; pages that they share count for each. 0
// where the system does not tell.
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

// residentOf reads one line: "pid (name) state parent group … resident …", where the name may hold anything, and
// resident is the 24th in pages.
func residentOf(pid, group int) int64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended
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
