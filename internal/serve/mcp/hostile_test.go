package mcp_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
)

// Whatever a program requests, the server returns only pages of the site itself, and keeps running.
func TestHostileArgumentsAreHandled(t *testing.T) {
	w := newWorld(t, mcp.Options{})
	s := w.connect(t, "docs.example.com")
	for _, text := range []string{
		strings.Repeat("가", 60), strings.Repeat("설치", 250), strings.Repeat("検索", 250), strings.Repeat("a-", 250),
		strings.Repeat("\u0301", 500), "__proto__", "\x00", strings.Repeat("(", 500), strings.Repeat("x", 50_000),
		"../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "//other.example.com/index",
		"http://other.example.com/index", "file:///etc/passwd", "docs.json", "index.html", "_lectern/search/index.js",
		"secret", "/secret.md", "%", "\\..\\x",
	} {
		for _, c := range []struct {
			tool string
			args map[string]any
		}{{"search_docs", map[string]any{"query": text, "limit": 1 << 40, "language": text, "version": text}},
			{"search_docs", map[string]any{"query": text, "limit": -5}},
			{"read_page", map[string]any{"path": text, "offset": -1 << 60}}} {
			if out, _ := call(t, s, c.tool, c.args); strings.Contains(out, "canary") ||
				strings.Contains(out, "root:") || len(out) > 200_000 {
				t.Errorf("%s %.40q: %.200s", c.tool, text, out)
			}
		}
	}
	if out, failed := call(t, s, "search_docs", map[string]any{"query": "thruster"}); failed ||
		!strings.Contains(out, "guides/start") {
		t.Errorf("afterwards: %s", out)
	}
}

// broken is a site whose files cannot be read.
type broken struct{}

func (broken) Has(string) bool { return true }

func (broken) Read(context.Context, string) ([]byte, error) { panic("broken: secret-cause") }

// A panic in a tool fails only its own request, although the HTTP server does not recover panics in that goroutine.
func TestToolPanicFailsOnlyItsRequest(t *testing.T) {
	handler := mcp.New(mcp.Options{Version: "1", Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeSite(w, r, "site", sitereader.New("x", broken{}))
	}))
	defer server.Close()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_page","arguments":{"path":"index"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"index"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs:///index"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs:///llms.txt"}}`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || !strings.Contains(strings.ToLower(string(text)), "error") ||
			strings.Contains(string(text), "secret-cause") {
			t.Errorf("%s: %d %s %v", body, res.StatusCode, text, err)
		}
	}
}
