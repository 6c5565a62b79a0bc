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

// supervisor runs the server, stops it when the pipe on standard input closes,
// which happens by itself when the test process dies, and removes the folder.
// It writes nothing itself: there may be no reader left.
// Arguments: folder, signal, program and its arguments.
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

// Command says what to run.
type Command struct {
	Folder string              // the server's own folder, removed at its end
	User   *syscall.Credential // nil means the current user
	Signal string              // what stops the server, e.g. "QUIT"
	Args   []string            // program and arguments
}

// Process is a running server.
type Process struct {
	stdin  io.Closer
	output *output
	done   chan struct{} // closed when the server and its folder are gone
}

// Run starts a server. When it fails to start, the folder is removed too.
func Run(command Command) (*Process, error) {
	args := append([]string{"-c", supervisor, "supervisor", command.Folder, command.Signal}, command.Args...)
	cmd := exec.Command("/bin/sh", args...)
	cmd.Dir = command.Folder
	// Only what programs need to find each other: a developer's own settings
	// for the server must not reach it.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	// A group of its own: an interrupt at the terminal ends the tests, and the
	// supervisor then does its work in peace.
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
		// The exit status of a stopped server means nothing, and
		// one that stopped by itself has said why in its output.
		_ = cmd.Wait()
	}()
	return p, nil
}

// Done is closed when the server has ended and its folder is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Output returns the end of what the server has written.
func (p *Process) Output() string {
	text, _ := p.output.read()
	return text
}

// Await returns when the output contains text; it fails when the server or the
// context ends first.
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

// Stop ends the server and returns when it and its folder are gone. It may be
// called again.
func (p *Process) Stop() {
	// Closing twice is the only way this fails.
	_ = p.stdin.Close()
	<-p.done
}

// FreePort returns a port on the loopback address that was unused a
// moment ago.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find free port: %w", err)
	}
	defer listener.Close() // nothing was accepted
	return listener.Addr().(*net.TCPAddr).Port, nil
}
