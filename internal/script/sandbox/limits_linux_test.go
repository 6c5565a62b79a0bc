package sandbox

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
)

// G1: a fork bomb is stopped at the limit, and all of its processes end.
func TestForkBombIsStopped(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		o := g.run(Program{Words: inner("forks"), Limits: Limits{Processes: 60}}, "")
		n, err := strconv.Atoi(strings.TrimSpace(o.Out))
		if err != nil || n < 5 || n >= 60 {
			t.Errorf("%d processes, %v: %+v", n, err, o)
		}
	})
}

// G1: memory is limited for one process, and also for many processes that each stay below the limit.
func TestMemoryIsBounded(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		o := g.run(Program{Words: inner("eats", "600"), Limits: Limits{Memory: 300 << 20}}, "")
		if o.Exit == 0 || strings.Contains(o.Out, "ate 600") {
			t.Errorf("alone: exit %d, exceeded %q", o.Exit, o.Exceeded)
		}
		o = g.run(Program{Words: inner("eat together"), Limits: Limits{Memory: 160 << 20}}, "")
		if o.Exceeded != "memory" {
			t.Errorf("together: %+v", o)
		}
	})
}

// G1: disk usage is limited: one file, all files, their number, their depth, and files in memory.
func TestDiskIsBounded(t *testing.T) {
	limits := Limits{FileSize: 8 << 20, Disk: 64 << 20, Files: 2000, Scratch: 8 << 20, Memory: 1 << 30}
	asEachUser(t, func(t *testing.T, g *fixture) {
		for what, want := range map[string]string{"file": "file too large", "tmp": "no space left",
			"shm": "no space left"} {
			o := g.run(Program{Words: inner("fills", what), Limits: limits}, "")
			if o.Exceeded != "" || !strings.Contains(o.Out, want) && o.Exit != 128+25 { // or the signal for it
				t.Errorf("%s: exit %d, exceeded %q, %s", what, o.Exit, o.Exceeded, o.Out)
			}
		}
		for _, what := range []string{"folder", "unnamed", "names", "depth"} {
			g := newFixture(t, g.uid)
			if o := g.run(Program{Words: inner("fills", what), Limits: limits}, ""); o.Exceeded != "disk" {
				t.Errorf("%s: exit %d, exceeded %q, %s", what, o.Exit, o.Exceeded, o.Out)
			}
		}
	})
}

// G1: processor time and wall time of a program are limited.
func TestTimeIsBounded(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		o := g.run(Program{Words: []string{"sh", "-c", "while :; do :; done"}, Limits: Limits{CPU: time.Second}}, "")
		if o.Exit <= 128 || o.Exceeded != "" {
			t.Errorf("processor: %+v", o)
		}
		o = g.run(Program{Words: []string{"sleep", "1000"}, Limits: Limits{Wall: 300 * time.Millisecond}}, "")
		if o.Exceeded != "time" {
			t.Errorf("wall: %+v", o)
		}
	})
}

// firstWrite is a writer that calls the function at each write.
type firstWrite func()

func (s firstWrite) Write(p []byte) (int, error) { s(); return len(p), nil }

// J8: when the caller's context ends, so do all processes in the sandbox, including those that have left the program's
// session.
func TestCancelEndsEverything(t *testing.T) {
	g := newFixture(t, 0)
	mine := errors.New("mine")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := New(Options{Exe: g.exe, Args: []string{Command}}).Run(ctx, Program{
		Words: []string{"sh", "-c", "setsid sleep 1000 & echo up; sleep 1000"}, Dir: g.dir,
		Stdout: firstWrite(func() { cancel(mine) })})
	if !errors.Is(err, mine) { // otherwise it waited for a process that holds the pipe
		t.Error(err)
	}
}
