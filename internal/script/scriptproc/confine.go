//go:build linux || darwin

package scriptproc

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// end kills a process and its group. Either may have ended already.
func end(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}

// Confine drops every privilege that running scripts does not need. A process must call it before it reads the
// first script, and must not read any if it fails.
func Confine() error {
	// one thread runs scripts, another notices the end of input; the call also keeps Go from querying the system again
	runtime.GOMAXPROCS(2)
	time.AfterFunc(time.Hour, nil).Stop() // makes Go open what its timers need, while that is still permitted
	runtime.LockOSThread()                // the filter requires no_new_privs to be set on this very thread
	defer runtime.UnlockOSThread()
	if err := restrict(); err != nil {
		return err
	}
	for _, l := range limits() {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("limit %s: %w", l.name, err)
		}
	}
	return filter()
}

type limit struct {
	name     string
	resource int
	value    uint64
}

func limits() []limit {
	return append(systemLimits(),
		limit{"core size", unix.RLIMIT_CORE, 0},
		limit{"file size", unix.RLIMIT_FSIZE, 0},
		limit{"processor time", unix.RLIMIT_CPU, Seconds},
		limit{"open files", unix.RLIMIT_NOFILE, 0})
}
