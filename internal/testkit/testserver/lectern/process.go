package lectern

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Patience bounds every wait, to end tests that hang. It judges nothing: on a busy machine a first start that builds a
// site can take more than a minute.
const Patience = 5 * time.Minute

// pollEvery is the pause between two looks at a condition. Most conditions ask the server, which shares the processors
// with the work that is waited for, so they do not ask as often as they could.
const pollEvery = 25 * time.Millisecond

// tail is how much of a process's output a failed test shows, in bytes.
const tail = 64 << 10

// Process is a running program.
type Process struct {
	t      testing.TB
	cmd    *exec.Cmd
	output *buffer
	done   chan struct{}
	err    error // set before done is closed
}

// buffer collects output while it is read.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// Start starts the program; the test's end kills it whatever happened, and shows the end of its output if the test
// failed.
func Start(t testing.TB, binary string, env []string, args ...string) (*Process, error) {
	p := &Process{t: t, cmd: exec.Command(binary, args...), output: &buffer{}, done: make(chan struct{})}
	p.cmd.Env = Environment(t, env)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %v: %w", args, err)
	}
	go func() { p.err = p.cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("output of %v:\n%s", args, p.Tail(tail))
		}
	})
	return p, nil
}

// Spawn is Start; a program that cannot be started fails the test.
func Spawn(t testing.TB, binary string, env []string, args ...string) *Process {
	t.Helper()
	p, err := Start(t, binary, env, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Output returns all that the process has written.
func (p *Process) Output() string { return p.output.String() }

// Tail returns the end of what the process has written, n bytes at most.
func (p *Process) Tail(n int) string {
	all := p.output.String()
	return all[max(0, len(all)-n):]
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the process ended, once Done is closed; nil is well.
func (p *Process) Err() error { <-p.done; return p.err }

// Pid returns the process's number.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill is kill -9.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// Wait looks until the condition holds; a process that ends meanwhile is an error.
func (p *Process) Wait(what string, holds func() bool) error {
	deadline := time.After(Patience)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for !holds() {
		select {
		case <-p.done:
			return fmt.Errorf("the process ended while waiting for %s: %v", what, p.err)
		case <-deadline:
			return fmt.Errorf("timed out waiting for %s after %s", what, Patience)
		case <-tick.C:
		}
	}
	return nil
}

// Await is Wait; an error fails the test.
func (p *Process) Await(what string, holds func() bool) {
	p.t.Helper()
	if err := p.Wait(what, holds); err != nil {
		p.t.Fatal(err)
	}
}

// End asks the process to stop and returns an error if it does not end well.
func (p *Process) End() error {
	if err := p.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("signal the process: %w", err)
	}
	select {
	case <-p.done:
	case <-time.After(Patience):
		return fmt.Errorf("the process did not stop within %s", Patience)
	}
	if p.err != nil {
		return fmt.Errorf("the process failed: %w", p.err)
	}
	return nil
}

// Stop is End; an error fails the test.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.End(); err != nil {
		p.t.Fatal(err)
	}
}

// Status returns the status of a page, 0 when there is no answer.
func Status(url string) int {
	r, err := http.Get(url)
	if err != nil {
		return 0
	}
	_ = r.Body.Close() // the status is what counts
	return r.StatusCode
}
