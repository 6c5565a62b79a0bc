package cli

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build/score"
)

// Our own docs get the full score.
func TestOwnDocsHaveTheFullScore(t *testing.T) {
	t.Parallel()
	a := invoke(t, "score", "../../../docs", "--min", "100", "--json")
	var r score.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatalf("%v\n%s", err, a.stderr)
	}
	for _, c := range r.Checks {
		if c.Status != score.Pass {
			t.Errorf("%s: %s of %d points: %v", c.ID, c.Status, c.Weight, c.Evidence)
		}
	}
	if a.code != 0 || r.Score != 100 || r.URL != "../../../docs" {
		t.Errorf("code %d, %d points for %s", a.code, r.Score, r.URL)
	}
}

func TestScoreChecksAURL(t *testing.T) {
	t.Parallel()
	bare := httptest.NewServer(
		http.FileServerFS(fstest.MapFS{"index.html": {Data: []byte("<title>x</title><h1>x</h1>")}}))
	defer bare.Close()
	a := invoke(t, "score", bare.URL).want(t, 0)
	for _, text := range []string{"FAIL    0.0/8  llms-txt", "hint: Serve a list of all pages",
		"of 100 points; 1 page checked"} {
		if !strings.Contains(a.stdout, text) {
			t.Errorf("standard output lacks %q:\n%s", text, a.stdout)
		}
	}
	invoke(t, "score", bare.URL, "--min", "90").want(t, 1, "The score is below 90.")
}

func TestScoreRefusesInvalidSites(t *testing.T) {
	t.Parallel()
	for site, code := range map[string]int{"nowhere": 2, "ftp://docs.example.com": 2, "http://127.0.0.1:1/": 1,
		write(t, map[string]string{"docs.json": "{}"}): 2} {
		if a := invoke(t, "score", site); a.code != code || a.stdout != "" {
			t.Errorf("%s: code %d, %s%s", site, a.code, a.stdout, a.stderr)
		}
	}
	invoke(t, "score", ".", "--min", "101").want(t, 2, "--min")
}

func TestMCPServesALocalFolder(t *testing.T) {
	t.Parallel()
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_page","arguments":{"path":"guides/start"}}}
`
	stdin, write := io.Pipe()
	read, stdout := io.Pipe()
	var errs bytes.Buffer
	self, _ := os.Executable()
	dir, ended := smallSite(t), make(chan int, 1)
	go func() {
		ended <- Main(t.Context(), Process{Args: []string{"mcp", dir}, Stdin: stdin, Stdout: stdout, Stderr: &errs,
			Version: "v0-test", SelfExe: self, Now: time.Now, Rand: rand.Reader})
		_ = stdout.Close()
	}()
	go func() { _, _ = io.WriteString(write, in) }()
	lines, all := bufio.NewScanner(read), ""
	for lines.Scan() {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("standard output contains something other than messages: %s", lines.Text())
		}
		if all += lines.Text(); strings.Contains(lines.Text(), `"id":2`) {
			_ = write.Close() // the agent has received its response
		}
	}
	if code := <-ended; code != 0 || !strings.Contains(all, `"name":"small"`) || !strings.Contains(all, "Do it.") {
		t.Errorf("code %d\n%s\n%s", code, all, errs.String())
	}
}

func TestMCPListensOnThisMachineOnly(t *testing.T) {
	t.Parallel()
	dir := warnedSite(t)
	for _, address := range []string{"0.0.0.0:0", "192.0.2.1:80", ":0", "docs.example.com:80", "127.0.0.1"} {
		invoke(t, "mcp", dir, "--listen", address).want(t, 2, "must be a loopback address")
	}
}
