package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// patience bounds every wait: a job whose worker was killed must be taken up again within a minute.
const patience = time.Minute

// process is a running lectern.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	data   string
	output *buffer
	done   chan struct{}
	err    error // set before done is closed
}

// buffer collects output while it is read.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// spawn starts the binary; the test's end stops it whatever happened.
func spawn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(binary, args...), output: &buffer{}, done: make(chan struct{})}
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LECTERN_METRICS_LISTEN=off"}, env...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.err = p.cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("output of %v:\n%s", args, p.output)
		}
	})
	return p
}

// serve starts a server on a free port and waits until it is ready.
func serve(t *testing.T, data string, env []string, args ...string) *process {
	t.Helper()
	address := freeAddress(t)
	t.Cleanup(func() { awaitGit(t, data) }) // after the server was killed
	p := spawn(t, env, append([]string{"serve", "--data", data, "--listen", address}, args...)...)
	p.url, p.data = "http://"+address, data
	p.await("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK })
	return p
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func status(url string) int {
	r, err := http.Get(url)
	if err != nil {
		return 0
	}
	_ = r.Body.Close()
	return r.StatusCode
}

// await looks until the condition holds; a process that ended meanwhile fails the test.
func (p *process) await(what string, holds func() bool) {
	p.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-p.done:
			p.t.Fatalf("the process ended while waiting for %s: %v", what, p.err)
		case <-deadline:
			p.t.Fatalf("%s did not come within %s", what, patience)
		case <-tick.C:
		}
	}
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// stop asks the process to end and fails the test if it does not end well.
func (p *process) stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatal("it did not stop")
	}
	if p.err != nil {
		p.t.Fatalf("it stopped badly: %v", p.err)
	}
}

func (p *process) client(key string) *client.Client {
	p.t.Helper()
	c, err := client.New(p.url, key)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// lectern runs a command to its end and returns what it printed on stdout.
func lectern(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("lectern %v: %v\n%s", args, err, errs.String())
	}
	return strings.TrimSpace(out.String())
}

// site writes a docs folder with that many pages.
func site(t *testing.T, pages int) string {
	t.Helper()
	dir := t.TempDir()
	var nav []string
	for i := range pages {
		name := fmt.Sprintf("page-%05d", i)
		nav = append(nav, fmt.Sprintf("%q", name))
		text := fmt.Sprintf("---\ntitle: Page %d\n---\n\nThis is page %d.\n\n%s", i, i, strings.Repeat("## Part\n\nSome *text* with `code`, a [link](/page-00000) and more.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 12))
		write(t, dir+"/"+name+".mdx", text)
	}
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n")
	write(t, dir+"/docs.json", `{"name":"Big","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index",`+strings.Join(nav, ",")+`]}}`)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func background() context.Context { return context.Background() }

// awaitGit waits until no git program of a killed server writes into its folder any more: each holds the lock of its mirror.
func awaitGit(t *testing.T, data string) {
	t.Helper()
	locks, err := filepath.Glob(filepath.Join(data, "git", "mirrors", "*.lock"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range locks {
		f, err := os.Open(name)
		if err != nil {
			continue // it went with its mirror
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			t.Errorf("wait for git: %v", err)
		}
		_ = f.Close()
	}
}
