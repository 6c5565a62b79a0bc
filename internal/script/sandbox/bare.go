package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Bare runs programs without a sandbox, for operators who choose that. The programs have the operator's own rights,
// files and network, regardless of Network and Proxy. As in the sandbox, a program only gets the given variables, its
// time is limited, and processes that it started are killed with it.
type Bare struct{}

// Run runs a program until it exits.
func (Bare) Run(ctx context.Context, p Program) (Result, error) {
	limits := p.Limits.OrDefault()
	timed, cancel := context.WithTimeout(ctx, limits.Wall)
	defer cancel()
	env := append([]string{}, p.Env...)
	if !strings.Contains("\n"+strings.Join(env, "\n"), "\nPATH=") {
		env = append(env, "PATH=/usr/local/bin:/usr/bin:/bin")
	}
	cmd := exec.CommandContext(timed, p.Words[0], p.Words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, env, p.Stdin, p.Stdout, p.Stderr
	cmd.SysProcAttr = group()
	cmd.Cancel = func() error { endGroup(cmd.Process); return nil }
	cmd.WaitDelay = 10 * time.Second // for processes that left the group and hold our pipes open
	err := cmd.Start()
	if err != nil {
		return Result{}, fault.Newf(fault.Invalid, "program_not_found",
			"The program %q does not exist or cannot be run.", p.Words[0]).WithCause(err)
	}
	err = cmd.Wait()
	endGroup(cmd.Process)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case timed.Err() != nil:
		return Result{Exit: 137, Exceeded: "time"}, nil
	case errors.As(err, &exit):
		return Result{Exit: code(exit.ProcessState)}, nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Result{}, fmt.Errorf("wait for program: %w", err)
	}
	return Result{}, nil
}

// code returns the exit code that a shell would report: 128 plus the signal number if a signal ended the process.
func code(s *os.ProcessState) int {
	if c := s.ExitCode(); c >= 0 {
		return c
	}
	return 128 + signal(s)
}
