package cluster

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// machine runs one process of a cluster at a time. Its address and folder outlive the process.
type machine struct {
	t       *testing.T
	name    string
	address string // host:port of a server; "" for a worker
	metrics string // host:port
	data    string
	env     []string
	args    []string

	mu      sync.Mutex
	process *lectern.Process // guarded by mu; the current or last one
	ended   []string         // guarded by mu; logs of earlier processes
}

// newMachine prepares a server or a worker without starting it. addresses contains the address for metrics and, for a
// server, its own address.
func newMachine(t *testing.T, name string, addresses, env []string, args ...string) *machine {
	t.Helper()
	m := &machine{t: t, name: name, metrics: addresses[0], data: t.TempDir(), env: env}
	m.args = append([]string{args[0], "--data", m.data, "--metrics-listen", m.metrics}, args[1:]...)
	if args[0] == "serve" {
		m.address = addresses[1]
		m.args = append(m.args, "--listen", m.address)
	}
	return m
}

// start starts the process and returns when it is ready.
func (m *machine) start() error {
	p, err := lectern.Start(m.t, binary, m.env, m.args...)
	if err != nil {
		return err
	}
	m.mu.Lock()
	if m.process != nil {
		m.ended = append(m.ended, m.process.Output())
	}
	m.process = p
	m.mu.Unlock()
	if err := p.Wait("readiness of "+m.name, m.ready); err != nil {
		return fmt.Errorf("start %s: %w", m.name, err)
	}
	return nil
}

// ready probes the process as an orchestrator does.
func (m *machine) ready() bool { return lectern.Status("http://"+m.metrics+"/readyz") == http.StatusOK }

func (m *machine) current() *lectern.Process { m.mu.Lock(); defer m.mu.Unlock(); return m.process }

// log returns everything that the machine's processes have written.
func (m *machine) log() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(append(append([]string{}, m.ended...), m.process.Output()), "\n")
}

// crash kills the process with SIGKILL and starts it again.
func (m *machine) crash() error {
	m.current().Kill()
	return m.start()
}

// restart stops the process as an orchestrator does and starts it again.
func (m *machine) restart() error {
	if err := m.current().End(); err != nil {
		return fmt.Errorf("stop %s: %w", m.name, err)
	}
	return m.start()
}

// freeze suspends the process for a while, whatever it is doing.
func (m *machine) freeze(d time.Duration) error {
	p := m.current()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("freeze %s: %w", m.name, err)
	}
	<-time.After(d) // the scenario chooses the duration; there is no signal to wait for
	if err := p.Signal(syscall.SIGCONT); err != nil {
		return fmt.Errorf("thaw %s: %w", m.name, err)
	}
	return p.Wait("readiness of "+m.name, m.ready)
}
