package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Intervals between checks. What a program can use between two checks is bounded by the limits of each process.
const (
	memoryRest = 50 * time.Millisecond
	diskRest   = 500 * time.Millisecond
)

// watchMemory calls end when the private memory of all processes together exceeds the limit.
func watchMemory(l Limits, stop <-chan struct{}, end func(string)) {
	watch(memoryRest, stop, func() bool {
		if privateMemory() <= l.Memory {
			return true
		}
		end("memory")
		return false
	})
}

// watchDisk calls end when the folder exceeds its limits.
func watchDisk(l Limits, stop <-chan struct{}, end func(string)) {
	before := free()
	watch(diskRest, stop, func() bool {
		if measure(Dir, l) == nil && !scarce(before, l) {
			return true
		}
		end("disk")
		return false
	})
}

func watch(rest time.Duration, stop <-chan struct{}, look func() bool) {
	t := time.NewTimer(rest)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
		}
		if !look() {
			return
		}
		t.Reset(rest)
	}
}

// privateMemory returns the unshared memory of all processes together, in bytes.
func privateMemory() int64 {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // if there is an error, the names that were read before it
	var sum int64
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err != nil || pid == 1 {
			continue
		}
		b, err := os.ReadFile("/proc/" + name + "/statm")
		if err != nil {
			continue // the process has exited
		}
		var size, resident, shared int64
		if _, err := fmt.Sscan(string(b), &size, &resident, &shared); err == nil {
			sum += max(0, resident-shared)
		}
	}
	return sum * int64(os.Getpagesize())
}

// free returns how many bytes the folder's file system has left for ordinary users, and its total size in bytes.
func free() (left [2]int64) {
	var s unix.Statfs_t
	if unix.Statfs(Dir, &s) != nil {
		return left
	}
	return [2]int64{int64(s.Bavail) * s.Bsize, int64(s.Blocks) * s.Bsize}
}

// scarce reports whether the file system is nearly full and has lost as much space since the start as the folder may
// use. This catches removed files that are still mapped into memory, which measure does not see.
func scarce(before [2]int64, l Limits) bool {
	now := free()
	return now[1] > 0 && now[0] < min(l.Disk, now[1]/20) && before[0]-now[0] > l.Disk
}

var errTooMuch = errors.New("the folder exceeds its limits")

// measure returns an error if a folder exceeds its limits: bytes on disk, number of files, depth.
func measure(dir string, l Limits) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // the folder cannot be opened, so nothing can be measured
	}
	defer root.Close()
	m := &meter{root: root, bytes: l.Disk - unnamed(dir), files: l.Files}
	return m.walk(".", 0)
}

// unnamed returns how many bytes on a folder's file system are used by deleted files that processes still hold open.
func unnamed(dir string) int64 {
	var here unix.Stat_t
	if unix.Stat(dir, &here) != nil {
		return 0
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*") // the pattern is valid
	seen := map[uint64]bool{}
	var sum int64
	for _, name := range files {
		var s unix.Stat_t
		if unix.Stat(name, &s) == nil && s.Dev == here.Dev && s.Nlink == 0 && !seen[s.Ino] {
			seen[s.Ino] = true
			sum += s.Blocks * 512
		}
	}
	return sum
}

type meter struct {
	root  *os.Root
	bytes int64 // remaining
	files int   // remaining
}

func (m *meter) walk(at string, depth int) error {
	if depth > maxDepth {
		return errTooMuch
	}
	f, err := m.root.Open(at)
	if err != nil {
		return nil // removed, or made inaccessible by its owner; files in it that have other links are counted there
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1000)
		for _, name := range names {
			var s unix.Stat_t
			if unix.Fstatat(int(f.Fd()), name, &s, unix.AT_SYMLINK_NOFOLLOW) != nil {
				continue
			}
			m.files--
			m.bytes -= s.Blocks * 512
			if m.files < 0 || m.bytes < 0 {
				return errTooMuch
			}
			if fs.FileMode(s.Mode)&unix.S_IFMT == unix.S_IFDIR {
				if err := m.walk(at+"/"+name, depth+1); err != nil {
					return err
				}
			}
		}
		if err != nil || len(names) == 0 {
			return nil
		}
	}
}
