package testserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
)

// supervisor runs the server. It stops the server when the pipe on standard input closes, which the kernel also does
// when the test process dies, and removes the folder. It writes no output, because there may be no reader any more. Its
// arguments are the folder, the signal, the program and the program's arguments.
const supervisor = `
folder=$1 signal=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
exec >/dev/null 2>&1
{ cat <&3; kill -s "$signal" "$server"; } &
exec 3<&-
wait "$server"; status=$?
rm -rf "$folder"
exit "$status"
`

// Command describes the program to run.
type Command struct {
	Folder string              // the server's own folder, removed when it stops
	User   *syscall.Credential // nil means the current user
	Signal string              // signal that stops the server, e.g. "QUIT"
	Args   []string            // program and arguments
}

// Process is a running server.
type Process struct {
	stdin  io.Closer
	output *output
	done   chan struct{} // closed when the server has exited and its folder is removed
}

// Run starts a server. If it cannot be started, the folder is removed.
func Run(command Command) (*Process, error) {
	args := append([]string{"-c", supervisor, "supervisor", command.Folder, command.Signal}, command.Args...)
	cmd := exec.Command("/bin/sh", args...)
	cmd.Dir = command.Folder
	// Pass only the variables that programs need to find each other: a developer's settings must not affect the server.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	// In its own process group: an interrupt at the terminal ends the tests, but does not interrupt the
	// supervisor's cleanup.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: command.User}
	p := &Process{output: newOutput(), done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.output, p.output
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", command.Args[0], err), os.RemoveAll(command.Folder))
	}
	p.stdin = stdin
	go func() {
		defer close(p.done)
		// The exit status of a stopped server has no meaning, and a server that failed has printed the reason.
		_ = cmd.Wait()
	}()
	return p, nil
}

// Done returns a channel that is closed when the server has exited and its folder is removed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Output returns the end of the server's output.
func (p *Process) Output() string {
	text, _ := p.output.read()
	return text
}

// Await waits until the output contains text. It fails if the server exits or the context ends first.
func (p *Process) Await(ctx context.Context, text string) error {
	for {
		changed, found := p.output.find(text)
		if found {
			return nil
		}
		select {
		case <-changed:
		case <-p.done:
			return fmt.Errorf("server ended:\n%s", p.Output())
		case <-ctx.Done():
			return fmt.Errorf("wait for server: %w:\n%s", ctx.Err(), p.Output())
		}
	}
}

// Stop stops the server and waits until it has exited and its folder is removed. It may be called more than once.
func (p *Process) Stop() {
	// This fails only if the pipe is closed already.
	_ = p.stdin.Close()
	<-p.done
}

// FreePort returns a port on the loopback address that is currently unused.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find free port: %w", err)
	}
	defer listener.Close() // no connection was accepted
	return listener.Addr().(*net.TCPAddr).Port, nil
}
