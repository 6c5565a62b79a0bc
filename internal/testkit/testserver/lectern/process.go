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

// Patience limits every wait so that tests that hang end. It is not a performance limit: on a busy machine, a first
// start that builds a site can take more than a minute.
const Patience = 5 * time.Minute

// pollEvery is the interval between two checks of a condition. Most conditions send a request to the server, which
// shares the processors with the work that the test waits for, so the interval is not as short as possible.
const pollEvery = 25 * time.Millisecond

// tail is the number of bytes of a process's output that a failed test prints.
const tail = 64 << 10

// Process is a running program.
type Process struct {
	t      testing.TB
	cmd    *exec.Cmd
	output *buffer
	done   chan struct{}
	err    error // set before done is closed
}

// buffer collects output that is read concurrently.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// Start starts the program. At the end of the test, the program is killed if it is still running, and the end of
// its output is printed if the test failed.
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

// Spawn is like Start, but fails the test if the program cannot be started.
func Spawn(t testing.TB, binary string, env []string, args ...string) *Process {
	t.Helper()
	p, err := Start(t, binary, env, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Output returns everything that the process has written.
func (p *Process) Output() string { return p.output.String() }

// Tail returns at most the last n bytes that the process has written.
func (p *Process) Tail(n int) string {
	all := p.output.String()
	return all[max(0, len(all)-n):]
}

// Done returns a channel that is closed when the process has exited.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err waits until the process exits and returns nil if it succeeded.
func (p *Process) Err() error { <-p.done; return p.err }

// Pid returns the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill sends SIGKILL and waits until the process has exited.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have exited already
	<-p.done
}

// Wait polls until the condition holds. It returns an error if the process exits first.
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

// Await is like Wait, but fails the test on an error.
func (p *Process) Await(what string, holds func() bool) {
	p.t.Helper()
	if err := p.Wait(what, holds); err != nil {
		p.t.Fatal(err)
	}
}

// End asks the process to stop and returns an error if it does not exit successfully.
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

// Stop is like End, but fails the test on an error.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.End(); err != nil {
		p.t.Fatal(err)
	}
}

// Status returns the HTTP status of a page, or 0 if there is no response.
func Status(url string) int {
	r, err := http.Get(url)
	if err != nil {
		return 0
	}
	_ = r.Body.Close() // only the status matters
	return r.StatusCode
}
