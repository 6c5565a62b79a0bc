package postgres

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// console is a psql process that stays connected as the superuser, because starting one for each statement would take
// longer than most statements. A database driver would be a second import of a library that another package wraps.
type console struct {
	mu      sync.Mutex // one statement at a time
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

func openConsole(psql, url string) (*console, error) {
	c := &console{process: exec.Command(psql, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", url)}
	c.process.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	in, errIn := c.process.StdinPipe()
	out, errOut := c.process.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewScanner(out)
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("start psql: %w", err)
	}
	return c, nil
}

// execute runs one statement that returns no rows. It fails when the server stops.
func (c *console) execute(statement string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	// After each statement, psql reports whether it failed, and the message of the last failure.
	if _, err := fmt.Fprintf(c.in, "%s;\n\\echo :ERROR :LAST_ERROR_MESSAGE\n", statement); err != nil {
		return fmt.Errorf("write to psql: %w", err)
	}
	if !c.out.Scan() {
		return errors.Join(errors.New("psql has ended"), c.out.Err())
	}
	var failed bool
	if _, err := fmt.Sscan(c.out.Text(), &failed); err != nil || failed {
		return errors.Join(errors.New(c.out.Text()), err)
	}
	return nil
}

// close ends psql. Its exit status has no meaning, because the server may have stopped first.
func (c *console) close() {
	_ = c.in.Close()
	_ = c.process.Wait()
}
