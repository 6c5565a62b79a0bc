package scriptproc

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
)

// Limits of one child, which Confine applies.
const (
	Memory  = 256 << 20 // bytes of data; enough for the engine's own limit for a page and for the rest of the program
	Seconds = 300       // of processor time; a child is replaced long before it has used that
)

// Options configures a Starter.
type Options struct {
	Exe    string       // path of this executable; "" if unknown: every start fails
	Args   []string     // the arguments of the command that calls Confine and then serves
	Logger *slog.Logger // for the reasons of failures; may be nil
}

// Starter starts children. It is safe for concurrent use.
type Starter struct {
	opt   Options
	plain atomic.Bool // the kernel refuses namespaces
}

// New returns a Starter.
func New(opt Options) *Starter {
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	return &Starter{opt: opt}
}

var errNoProgram = errors.New("path of the executable is unknown")

// Start starts a child. The caller must kill it.
func (s *Starter) Start() (*Child, error) {
	c, err := s.start()
	if err != nil {
		s.opt.Logger.Error("failed to start script process", "error", err)
	}
	return c, err
}

func (s *Starter) start() (*Child, error) {
	if s.opt.Exe == "" {
		return nil, errNoProgram
	}
	if !s.plain.Load() {
		c, err := s.spawn(true)
		if err == nil || !confines {
			return c, err
		}
	}
	c, err := s.spawn(false)
	if err == nil && confines && !s.plain.Swap(true) {
		s.opt.Logger.Info("script processes run without namespaces: the kernel refuses them")
	}
	return c, err
}

func (s *Starter) spawn(apart bool) (*Child, error) {
	cmd := exec.Command(program(s.opt.Exe), s.opt.Args...)
	cmd.Args[0] = s.opt.Exe
	cmd.Env, cmd.Dir = []string{}, root() // nil would inherit ours
	cmd.SysProcAttr = attributes(apart)
	c := &Child{cmd: cmd, log: s.opt.Logger}
	cmd.Stderr = &c.stderr
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = cmd.StdoutPipe(); err != nil {
		return nil, errors.Join(err, c.in.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// Child is a running process.
type Child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr head // the first bytes of its standard error
	log    *slog.Logger

	ended  atomic.Bool // its output reached end of file before the child was killed
	killed sync.Once
}

// PID returns the process id.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Write sends to the child's standard input.
func (c *Child) Write(p []byte) (int, error) { return c.in.Write(p) }

// Read receives from the child's standard output.
func (c *Child) Read(p []byte) (int, error) {
	n, err := c.out.Read(p)
	if errors.Is(err, io.EOF) {
		c.ended.Store(true)
	}
	return n, err
}

// Kill kills the child and its process group, and waits until the child is gone.
func (c *Child) Kill() {
	c.killed.Do(func() {
		end(c.cmd.Process)
		err := c.cmd.Wait()
		if c.ended.Load() {
			c.log.Warn("script process ended unexpectedly", "error", err, "stderr", c.stderr.String())
		}
	})
}

// head keeps the first maxHead bytes of a stream.
type head struct {
	mu   sync.Mutex
	text []byte
}

const maxHead = 2000 // bytes

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), maxHead-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}

// root returns a folder that exists on every machine.
func root() string {
	if os.PathSeparator == '\\' {
		return ""
	}
	return "/"
}
