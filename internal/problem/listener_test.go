package problem_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/problem"
)

// lockedLog is a log that several goroutines write.
type lockedLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// serve starts a server whose handler answers 200, or 400 in the library's own words for /text.
func serve(t *testing.T) (address string, log *lockedLog) {
	t.Helper()
	log = &lockedLog{}
	p := problem.Writer{Log: slog.New(slog.NewTextHandler(log, nil)), IDs: id.Source{Rand: rand.Reader}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{MaxHeaderBytes: 4 << 10, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/text" {
			w.Header().Set("Connection", "close")
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, "400 Bad Request")
		}
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(p.Listen(l)) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return l.Addr().String(), log
}

// raw sends bytes and reads one answer.
func raw(t *testing.T, address, request string) (*http.Response, string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	go func() { _, _ = io.WriteString(c, request) }() // the server may stop reading
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	return res, string(body)
}

// A2, A3: what the HTTP library refuses before any handler is called has the one error shape and a request id, and the log has it too.
func TestRefusalsOfTheLibraryHaveTheOneShape(t *testing.T) {
	address, log := serve(t)
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"no HTTP":            {"hello\r\n\r\n", 400, "malformed_request"},
		"bad request line":   {"GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"},
		"bad header":         {"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, "malformed_request"},
		"space in a name":    {"GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400, "malformed_request"},
		"no host":            {"GET / HTTP/1.1\r\n\r\n", 400, "malformed_request"},
		"bad host":           {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "malformed_request"},
		"two hosts":          {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "malformed_request"},
		"two lengths":        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "malformed_request"},
		"large headers":      {"GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, "headers_too_large"},
		"unknown encoding":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "unsupported_encoding"},
		"version":            {"GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505, "unsupported_version"},
		"expectation":        {"POST / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\nContent-Length: 1\r\n\r\nx", 417, "unsupported_expectation"},
		"after a good one":   {"GET /text HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		"bad escape in path": {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"},
	} {
		res, text := raw(t, address, c.request)
		if res.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d: %s", name, res.StatusCode, c.status, text)
			continue
		}
		if c.code == "" { // the words are the library's, but a handler wrote them
			if text != "400 Bad Request" || res.Header.Get("Date") == "" {
				t.Errorf("%s: an answer of a handler became %q", name, text)
			}
			continue
		}
		var body problem.Body
		if err := json.Unmarshal([]byte(text), &body); err != nil || body.Error == "" || body.Code != c.code || body.RequestID == "" ||
			body.RequestID != res.Header.Get("X-Request-Id") || res.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v %q %v", name, err, text, res.Header)
		}
		if !strings.Contains(log.String(), "requestId="+body.RequestID) {
			t.Errorf("%s: the log does not have %s", name, body.RequestID)
		}
	}
}
