package race

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// took is the resource use of a process, as printed by bench/timed.
type took struct {
	Wall   float64 `json:"wall"`
	CPU    float64 `json:"cpu"`
	Peak   int64   `json:"peak"`
	Exit   int     `json:"exit"`
	Signal string  `json:"signal"`
	Killed string  `json:"killed"`
}

// command is a process to measure.
type command struct {
	dir  string   // working directory
	args []string // program and arguments
	env  []string // additional environment variables
}

// lab runs measurements.
type lab struct {
	work     string // folder for all output
	timed    string // path of bench/timed
	baseline string // path of bench/baseline
	limit    time.Duration
}

// openLab creates the work folder below dir and builds the measuring programs.
func openLab(ctx context.Context, dir string, limit time.Duration) (*lab, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(dir, "race-")
	if err != nil {
		return nil, err
	}
	l := &lab{work: work, timed: filepath.Join(work, "bin", "timed"), baseline: filepath.Join(work, "bin", "baseline"),
		limit: limit}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(work, "bin")+string(filepath.Separator),
		"github.com/lectern-docs/lectern/bench/timed", "github.com/lectern-docs/lectern/bench/baseline")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		l.close()
		return nil, fmt.Errorf("build measuring programs: %w", err)
	}
	return l, nil
}

func (l *lab) close() { _ = os.RemoveAll(l.work) } // a temporary folder

// path returns a path in the work folder.
func (l *lab) path(name string) string { return filepath.Join(l.work, filepath.FromSlash(name)) }

// run measures one process. An error means that it could not be measured; its exit status is in the result.
func (l *lab) run(ctx context.Context, c command) (*took, error) {
	syscall.Sync() // data written by others must not be flushed while this process runs
	args := []string{"-limit", l.limit.String(), "-stdout", l.path("stdout"), "-stderr", l.path("stderr"), "--"}
	cmd := exec.CommandContext(ctx, l.timed, append(args, c.args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(cmd.Environ(), c.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it kills its child processes
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe() // closed when this process ends, for any reason
	if err != nil {
		return nil, err
	}
	defer func() { _ = stdin.Close() }()
	said, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", filepath.Base(c.args[0]), err)
	}
	var t took
	if err := json.Unmarshal(said, &t); err != nil {
		return nil, fmt.Errorf("read measurement: %w", err)
	}
	return &t, nil
}

// Failures caused by the machine's limits.
const (
	outOfMemory = "out of memory"
	outOfDisk   = "the disk was nearly full"
)

// why describes how a process failed, or returns "".
func (l *lab) why(t *took) string {
	switch {
	case t.Killed == "limit":
		return ""
	case t.Killed == "disk":
		return outOfDisk
	case t.Exit == 0:
		return ""
	case l.complaint("heap out of memory") != "" || t.Signal == syscall.SIGKILL.String():
		return outOfMemory
	}
	reason := cmp.Or(l.lastLine("stderr"), l.lastLine("stdout"), "it did not say why")
	if t.Signal != "" {
		return t.Signal + ": " + reason
	}
	return fmt.Sprintf("exit %d: %s", t.Exit, reason)
}

// complaint returns the line of standard error that contains a text, or "".
func (l *lab) complaint(text string) string {
	data, err := os.ReadFile(l.path("stderr"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, text) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// lastLine returns the end of a process's output.
func (l *lab) lastLine(name string) string {
	data, err := os.ReadFile(l.path(name))
	if err != nil {
		return ""
	}
	data = bytes.TrimSpace(data)
	last := strings.TrimSpace(string(data[bytes.LastIndexByte(data, '\n')+1:]))
	return last[:min(len(last), 160)]
}
