package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/bench/race"
)

// errLimit means that a program was killed because it took too long or used too much memory.
var errLimit = errors.New("limit reached")

// usage is the resource use of a program and its child processes.
type usage struct {
	cpu    time.Duration // 0 if it was killed
	memory int64         // maximum observed resident memory, in bytes
}

// runBounded runs a program in its own process group, and kills the group when it exceeds the time limit or uses more
// than half of the machine's memory.
func runBounded(ctx context.Context, cmd *exec.Cmd, limit time.Duration) (used usage, err error) {
	memoryMost := race.MachineMemory() / 2
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return used, err
	}
	group := cmd.Process.Pid
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late, tick := time.NewTimer(limit), time.NewTicker(time.Second/4)
	defer late.Stop()
	defer tick.Stop()
	reason := error(nil)
	for {
		select {
		case err := <-ended:
			used.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			return used, err
		case <-ctx.Done():
			reason = ctx.Err()
		case <-late.C:
			reason = fmt.Errorf("%w: it took longer than %v", errLimit, limit)
		case <-tick.C:
			used.memory = max(used.memory, groupMemory(group))
			if memoryMost > 0 && used.memory > memoryMost {
				reason = fmt.Errorf("%w: it took more than %.1f GiB of memory, half of the machine's", errLimit,
					float64(memoryMost)/(1<<30))
			}
		}
		if reason != nil {
			_ = syscall.Kill(-group, syscall.SIGKILL) // it may have exited by now
			return used, errors.Join(reason, <-ended)
		}
	}
}

// groupMemory returns the resident memory of all processes of a group, in bytes.
func groupMemory(group int) (sum int64) {
	list, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the process has exited
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the program's name may contain spaces
		fields := strings.Fields(rest)
		if len(fields) < 22 || fields[2] != strconv.Itoa(group) {
			continue
		}
		pages, _ := strconv.ParseInt(fields[21], 10, 64) // 0 if it is not a number
		sum += pages * int64(os.Getpagesize())
	}
	return sum
}
