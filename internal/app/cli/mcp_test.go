package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// listenMCP starts the command on a free port until the test ends, and returns its address.
func listenMCP(t *testing.T, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	read, stderr := io.Pipe()
	self, _ := os.Executable()
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Process{Args: []string{"mcp", dir, "--listen", "127.0.0.1:0"}, Stdin: strings.NewReader(""),
			Stdout: io.Discard,
			Stderr: stderr, Version: "v0-test", SelfExe: self, Now: time.Now, Rand: rand.Reader})
		_ = stderr.Close()
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the command ended with code %d", code)
		}
	})
	said := ""
	for lines := bufio.NewScanner(read); lines.Scan(); {
		said += lines.Text() + "\n"
		if _, rest, ok := strings.Cut(lines.Text(), "MCP server at http://"); ok {
			address, _, _ := strings.Cut(rest, "/")
			go func() { _, _ = io.Copy(io.Discard, read) }()
			return address
		}
	}
	t.Fatalf("the command did not listen:\n%s", said)
	return ""
}

func TestMCPAnswersOnlyToLocalHostNames(t *testing.T) {
	t.Parallel()
	address := listenMCP(t, smallSite(t))
	_, port, _ := net.SplitHostPort(address)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for host, want := range map[string]int{address: 200, "localhost:" + port: 200, "[::1]:" + port: 200,
		"evil.example": 403, "evil.example:" + port: 403, "192.0.2.1": 403, "localhost.evil.example": 403} {
		for _, path := range []string{"/llms-full.txt", "/", "/mcp"} {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, http.NoBody)
			if path == "/mcp" {
				r, _ = http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path,
					strings.NewReader(ping))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
			}
			r.Host = host
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(got.Body)
			_ = got.Body.Close()
			if got.StatusCode != want || want == 403 && strings.Contains(string(body), "Do it.") {
				t.Errorf("%s%s: status %d, want %d: %.200s", host, path, got.StatusCode, want, body)
			}
		}
	}
}

func TestMCPReportsUnusableListenAddress(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	dir := smallSite(t)
	for _, address := range []string{taken.Addr().String(), "127.0.0.1:99999"} {
		invoke(t, "mcp", dir, "--listen", address).want(t, 2, "--listen: cannot listen on "+address, "127.0.0.1:8090")
	}
}
