package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server being measured.
type process struct {
	cmd     *exec.Cmd
	address string
	url     string
}

// startLectern starts the platform on a free port and returns the time until it was ready.
func startLectern(ctx context.Context, binary, dir string) (*process, time.Duration, error) {
	return start(ctx, "/readyz", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, binary, "serve", "--data", dir, "--listen", address, "--metrics-listen", "off",
			"--rate-limit", "0", "--log-level", "error")
	})
}

// buildBare builds the bare server into dir.
func buildBare(ctx context.Context, dir string) (string, error) {
	name := filepath.Join(dir, "bare")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", name, "github.com/lectern-docs/lectern/bench/bare")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build the bare server: %w", err)
	}
	return name, nil
}

// startBare starts a server that sends the same response to every request.
func startBare(ctx context.Context, program string, answer []byte, flags ...string) (*process, time.Duration, error) {
	return start(ctx, "/", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, program, append(flags, "-address", address, "-answer", string(answer))...)
	})
}

// headerFlags returns flags that make the bare server send the headers of our response, except those that describe its
// body.
func headerFlags(ctx context.Context, url, host, key string) ([]string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	r.Host = host
	r.Header.Set("Accept-Encoding", "gzip")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // read only
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	var flags []string
	for name, values := range response.Header {
		if name == "Date" || name == "Etag" || strings.HasPrefix(name, "Content-") && !strings.HasPrefix(name, "Content-Security") {
			continue
		}
		for _, v := range values {
			flags = append(flags, "-header", name+": "+v)
		}
	}
	return flags, nil
}

func start(ctx context.Context, path string, command func(address string) *exec.Cmd) (*process, time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, 0, err
	}
	p := &process{cmd: command(address), address: address, url: "http://" + address}
	p.cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, 0, err
	}
	for {
		r, err := http.Get(p.url + path)
		if err == nil {
			_ = r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return p, time.Since(begin), nil
			}
		}
		if time.Since(begin) > time.Minute || ctx.Err() != nil {
			return nil, 0, errors.Join(errors.New("it did not become ready"), p.stop())
		}
		time.Sleep(time.Millisecond)
	}
}

// freeAddress returns an unused loopback address.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// idleMemory returns the resident memory after a few idle seconds.
func (p *process) idleMemory() (int64, error) {
	time.Sleep(5 * time.Second)
	return statusOf(p.cmd.Process.Pid, "VmRSS:")
}

// statusOf returns a size in a process's status, in bytes.
func statusOf(pid int, field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("the system does not report the memory of processes")
}

func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return nil // the bare server is killed by the signal
	}
	return err
}
