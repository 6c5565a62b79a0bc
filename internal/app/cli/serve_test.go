package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// terminal is a writer that signals when it receives a given text.
type terminal struct {
	mu   sync.Mutex
	text bytes.Buffer
	wait string
	seen chan struct{} // closed when wait was written
}

func (s *terminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := strings.Contains(s.text.String(), s.wait)
	s.text.Write(p)
	if !before && strings.Contains(s.text.String(), s.wait) {
		close(s.seen)
	}
	return len(p), nil
}

func (s *terminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestServeRunsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, log := &terminal{wait: "is running", seen: make(chan struct{})}, &terminal{wait: "\x00"}
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: []string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--metrics-listen", "off",
				"--first-site", "off"},
			Environ: []string{"LECTERN_LOG_FORMAT=json"}, Stdin: strings.NewReader(""), Stdout: out, Stderr: log,
			Version: "v0-test", Now: time.Now, Rand: rand.Reader,
		})
	}()
	select {
	case <-out.seen:
	case c := <-code:
		t.Fatalf("ended with %d: %s%s", c, out, log)
	}
	stop()
	if c := <-code; c != 0 {
		t.Errorf("exit code %d: %s", c, log)
	}
	if !strings.Contains(out.String(), "Lectern v0-test is running") ||
		!strings.Contains(log.String(), `"msg":"serving"`) {
		t.Errorf("said %q and logged %s", out, log)
	}
}

func TestServeOnATakenPortIsASettingsError(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().String()
	for _, setting := range []string{"listen", "metrics-listen"} {
		other := map[string]string{"listen": "metrics-listen", "metrics-listen": "listen"}[setting]
		invoke(t, "serve", "--data", t.TempDir(), "--"+setting, taken, "--"+other, "127.0.0.1:0", "--first-site", "off").
			want(t, 2, "lectern: "+setting+": cannot listen on "+taken+": address already in use.", "with --"+setting+".")
	}
}

func TestDialUsesProxyPasswordFromEnvironment(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := guard.Proxy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	session := proxy.Open()
	defer session.Close()
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	dial := func(password string) runResult {
		var out, errs bytes.Buffer
		code := Main(t.Context(), Process{
			Args:    []string{"internal-dial", session.Addr(), host, port},
			Environ: []string{outbound.PasswordEnv + "=" + password},
			Stdin:   strings.NewReader("echo"), Stdout: &out, Stderr: &errs, Now: time.Now, Rand: rand.Reader,
		})
		return runResult{code, out.String(), errs.String()}
	}
	if a := dial(session.Password()).want(t, 0); a.stdout != "echo" {
		t.Errorf("got back %q", a.stdout)
	}
	dial("wrong").want(t, 1)
}
