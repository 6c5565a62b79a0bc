package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// startDev runs the command until the test ends and returns the address it printed.
func startDev(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	done := make(chan int, 1)
	self, _ := os.Executable() // without SelfExe, no author code runs
	go func() {
		code := Main(ctx, Process{
			Args: append([]string{"dev"}, args...), Stdin: strings.NewReader(""), Stdout: in, Stderr: io.Discard,
			Version: "v0-test", SelfExe: self, Now: time.Now, Rand: rand.Reader,
		})
		_ = in.Close()
		done <- code
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the preview printed %q, %v", line, err)
	}
	m := regexp.MustCompile(`^Preview at (http://[0-9.]+:[0-9]+), ready in \d+ ms`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("the preview printed %q", line)
	}
	return m[1]
}

func fetchText(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestDevShowsAChangeReportedByTheFileSystem(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	address := startDev(t, dir, "--port", "0")
	if body := fetchText(t, address+"/guides/start"); !strings.Contains(body, "Do it.") {
		t.Fatalf("got %s", body)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/_lectern/dev/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	news := bufio.NewScanner(resp.Body)
	news.Scan() // the stream is open
	if err := os.WriteFile(filepath.Join(dir, "guides", "start.mdx"),
		[]byte("---\ntitle: Start\n---\n\nDone differently.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for news.Scan() {
		if strings.Contains(news.Text(), "/guides/start") &&
			strings.Contains(fetchText(t, address+"/guides/start"), "Done differently.") {
			return
		}
	}
	t.Fatal("the change was never reported")
}

func TestDevTakesTheNextFreePort(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	address := startDev(t, smallSite(t), "--port", strconv.Itoa(port))
	if strings.HasSuffix(address, ":"+strconv.Itoa(port)) || !strings.Contains(fetchText(t, address+"/"), "Hello.") {
		t.Errorf("it listens at %s", address)
	}
}

func TestDevNeedsASite(t *testing.T) {
	t.Parallel()
	invoke(t, "dev", t.TempDir()).want(t, 2, "has no docs.json", "lectern new")
	invoke(t, "dev", filepath.Join(t.TempDir(), "gone")).want(t, 2, "does not exist")
}
