package jsrun

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/script/scriptproc"
)

// TestMain lets the test binary also act as the processes that its tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "as-process" {
		os.Exit(asProcess(os.Args[2]))
	}
	os.Exit(m.Run())
}

func asProcess(role string) int {
	if role == "parent" {
		return asParent()
	}
	err := scriptproc.Confine()
	if err == nil && role == "serve" {
		err = Serve(os.Stdin, os.Stdout)
	} else if err == nil {
		err = asHostile(role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// processes starts processes and records them.
type processes struct {
	starter *scriptproc.Starter
	started chan struct{} // one for each
	mu      sync.Mutex
	born    []*scriptproc.Child
}

func newProcesses(t testing.TB, role string) *processes {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &processes{starter: scriptproc.New(scriptproc.Options{Exe: exe, Args: []string{"as-process", role}}),
		started: make(chan struct{}, 10_000)}
}

func (n *processes) start() (Process, error) {
	c, err := n.starter.Start()
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.born = append(n.born, c)
	n.started <- struct{}{}
	return c, nil
}

// pids returns the ids of the processes that were started.
func (n *processes) pids() (list []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.born {
		list = append(list, c.PID())
	}
	return list
}

// everywhere runs a test with engines inside this process, and with engines that use other processes.
func everywhere(t *testing.T, test func(t *testing.T, engine func(Options) *Engine)) {
	t.Helper()
	t.Run("inside", func(t *testing.T) { test(t, New) })
	t.Run("process", func(t *testing.T) {
		n := newProcesses(t, "serve")
		test(t, func(o Options) *Engine {
			o.Host.Start = n.start
			e := New(o)
			t.Cleanup(e.Close)
			return e
		})
	})
}
