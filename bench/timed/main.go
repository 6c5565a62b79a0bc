// Command timed runs another program and prints its resource use as one JSON object: time, processor time and peak
// memory, including its child processes. It is a separate program because the system counts a child's memory from the
// moment it is forked: a large parent process would be included.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// took is the printed result.
type took struct {
	Wall   float64 `json:"wall"`   // seconds
	CPU    float64 `json:"cpu"`    // seconds, of all processes that were waited for
	Peak   int64   `json:"peak"`   // bytes, resident
	Exit   int     `json:"exit"`   // -1 = killed by a signal
	Signal string  `json:"signal"` // name of the signal, or ""
	Killed string  `json:"killed"` // "limit" or "disk" if this program killed it
}

func main() {
	limit := flag.Duration("limit", time.Hour, "kill the program after this long")
	stdout := flag.String("stdout", os.DevNull, "`file` for its standard output")
	stderr := flag.String("stderr", os.DevNull, "`file` for its standard error")
	spare := flag.Int64("spare", 2<<30,
		"kill the program when the disk of the current folder has less free space than this many bytes")
	flag.Parse()
	t, err := run(flag.Args(), *stdout, *stderr, *limit, *spare)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(t)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "timed:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr string, limit time.Duration, spare int64) (*took, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("no program given")
	}
	cmd := exec.Command(args[0], args[1:]...)
	out, err := os.Create(stdout)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the child process writes to it
	complaints, err := os.Create(stderr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = complaints.Close() }()
	cmd.Stdout, cmd.Stderr = out, complaints
	// its own process group, so that all its processes can be found and killed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := watch{group: cmd.Process.Pid, spare: spare}
	done, seen := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(seen)
		w.run(done, orphaned(), time.After(limit))
	}()
	_ = cmd.Wait() // the result is in ProcessState
	wall := time.Since(begin)
	close(done)
	<-seen
	w.end() // kill remaining processes
	state := cmd.ProcessState
	t := &took{Wall: wall.Seconds(), CPU: (state.UserTime() + state.SystemTime()).Seconds(), Peak: w.peak,
		Exit: state.ExitCode(), Killed: w.killed}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		t.Peak = max(t.Peak, usage.Maxrss<<10) // KiB, of its largest process
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		t.Signal = status.Signal().String()
	}
	return t, nil
}

// orphaned returns a channel that is closed when the parent process exits or cancels: at the end of standard input,
// or on a signal.
func orphaned() <-chan struct{} {
	gone := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	go func() {
		select {
		case <-signals:
		case <-ended:
		}
		close(gone)
	}()
	return gone
}
