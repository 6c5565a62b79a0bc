package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// begin is the second stage: it drops the remaining privileges and executes the program. It returns only if that fails.
func begin(o order) report {
	runtime.LockOSThread() // the filter requires no_new_privs to be set on this very thread
	unix.CloseOnExec(reportFile)
	unix.Umask(0o022)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return failed("forbid new privileges", err)
	}
	env := environment(o.Env)
	var path string
	if !o.Probe {
		var err error
		if path, err = find(o.Words[0], env); err != nil {
			return report{Missing: true, Error: err.Error()}
		}
	}
	for _, l := range bounds(o.Limits) {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return failed("limit "+l.name, err)
		}
	}
	if !seccomp.Supported() {
		return failed("filter", errors.New("no system call filter for this architecture"))
	}
	if err := seccomp.Install(refused(), seccomp.Allow); err != nil {
		return failed("filter", err)
	}
	if o.Probe {
		return report{}
	}
	err := unix.Exec(path, o.Words, env)
	return report{Missing: true, Error: err.Error()}
}

type bound struct {
	name     string
	resource int
	value    uint64
}

func bounds(l Limits) []bound {
	return []bound{
		{"core size", unix.RLIMIT_CORE, 0},
		{"processor time", unix.RLIMIT_CPU, uint64(max(1, l.CPU/time.Second))},
		{"file size", unix.RLIMIT_FSIZE, uint64(l.FileSize)},
		{"open files", unix.RLIMIT_NOFILE, uint64(l.OpenFiles)},
		{"processes", unix.RLIMIT_NPROC, uint64(l.Processes)},
		{"data size", unix.RLIMIT_DATA, uint64(l.Memory)},
		{"locked memory", unix.RLIMIT_MEMLOCK, 64 << 10},
		{"message queues", unix.RLIMIT_MSGQUEUE, 0},
		{"waiting signals", unix.RLIMIT_SIGPENDING, 1024},
		{"priority", unix.RLIMIT_NICE, 0},
		{"real time", unix.RLIMIT_RTPRIO, 0},
	}
}

// environment returns the given variables plus defaults for those that programs expect.
func environment(given []string) []string {
	out := append([]string{}, given...)
	for _, fallback := range []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8"} {
		name, _, _ := strings.Cut(fallback, "=")
		if value(given, name) == "" {
			out = append(out, fallback)
		}
	}
	return out
}

func value(env []string, name string) string {
	for _, e := range env {
		if n, v, ok := strings.Cut(e, "="); ok && n == name {
			return v
		}
	}
	return ""
}

// find looks up a program like a shell: in PATH, unless its name contains a slash.
func find(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, runnable(name)
	}
	for _, dir := range filepath.SplitList(value(env, "PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(dir) && runnable(path) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("find %s: %w", name, fs.ErrNotExist)
}

func runnable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fs.ErrPermission
	}
	return unix.Access(path, unix.X_OK)
}
