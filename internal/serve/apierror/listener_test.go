package apierror_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// lockedLog is a log that several goroutines write to.
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

// serve starts a server whose handler responds with 200; for /text, with a 400 in the library's wording; and for
// /alike, with a body containing parts that look like the library's error responses.
func serve(t *testing.T) (address string, log *lockedLog) {
	t.Helper()
	log = &lockedLog{}
	p := apierror.Writer{Log: slog.New(slog.NewTextHandler(log, nil)), IDs: id.Source{Rand: rand.Reader}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "400 Bad Request")
	})
	mux.HandleFunc("/alike/{kind}/{before}", func(w http.ResponseWriter, r *http.Request) {
		body := alike(r.PathValue("kind"), r.PathValue("before"))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		if r.URL.Query().Has("flush") { // so that the connection's next write contains only body
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, body)
	})
	server := &http.Server{MaxHeaderBytes: 4 << 10, Handler: mux}
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Serve(server, l) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return l.Addr().String(), log
}

// alike returns a body that repeats the start of one of the library's error responses after some other bytes.
func alike(kind, before string) string {
	n, _ := strconv.Atoi(before)
	unit := "HTTP/1.1 417 "
	if kind == "400" {
		unit = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	}
	return strings.Repeat("x", n) + strings.Repeat(unit, 1+9000/len(unit))
}

// raw sends bytes and reads one response.
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

// A2, A3: requests that the HTTP library rejects before calling a handler get the API's error format and a request
// id, and are logged.
func TestNetHTTPErrorsHaveAPIFormat(t *testing.T) {
	address, log := serve(t)
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"no HTTP":          {"hello\r\n\r\n", 400, "malformed_request"},
		"bad request line": {"GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"},
		"bad header":       {"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, "malformed_request"},
		"space in a name":  {"GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400, "malformed_request"},
		"no host":          {"GET / HTTP/1.1\r\n\r\n", 400, "malformed_request"},
		"bad host":         {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "malformed_request"},
		"two hosts":        {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "malformed_request"},
		"two lengths": {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400,
			"malformed_request"},
		"large headers": {"GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431,
			"headers_too_large"},
		"unknown encoding": {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501,
			"unsupported_encoding"},
		"version": {"GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505, "unsupported_version"},
		"expectation": {"POST / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\nContent-Length: 1\r\n\r\nx", 417,
			"unsupported_expectation"},
		"after a good one":   {"GET /text HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		"bad escape in path": {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"},
	} {
		res, text := raw(t, address, c.request)
		if res.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d: %s", name, res.StatusCode, c.status, text)
			continue
		}
		if c.code == "" { // the library's wording, but written by a handler
			if text != "400 Bad Request" || res.Header.Get("Date") == "" {
				t.Errorf("%s: a handler's response became %q", name, text)
			}
			continue
		}
		body := isProblem(t, name, c.code, res, text)
		if !strings.Contains(log.String(), "requestId="+body.RequestID) {
			t.Errorf("%s: the log lacks %s", name, body.RequestID)
		}
	}
}

// isProblem checks that a response has the error format with a code.
func isProblem(t *testing.T, name, code string, res *http.Response, text string) (body apierror.Body) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &body); err != nil || body.Error == "" || body.Code != code ||
		body.RequestID == "" ||
		body.RequestID != res.Header.Get("X-Request-Id") || res.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: %v %q %v", name, err, text, res.Header)
	}
	return body
}

// kept is a connection for several requests.
type kept struct {
	net.Conn
	in *bufio.Reader
}

func (k kept) ask(t *testing.T, request string) (*http.Response, string) {
	t.Helper()
	if _, err := io.WriteString(k, request); err != nil {
		t.Fatal(err)
	}
	return k.answer(t, request)
}

func (k kept) answer(t *testing.T, request string) (*http.Response, string) {
	t.Helper()
	res, err := http.ReadResponse(k.in, nil)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	return res, string(body)
}

func dial(t *testing.T, address string) kept {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	// Otherwise a response with missing bytes would block.
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return kept{c, bufio.NewReader(c)}
}

// A2: a page whose text looks like one of the library's error responses is served unchanged, wherever a write on the
// connection begins, including the last one, after the handler has returned.
func TestContentIsNotMistakenForLibraryError(t *testing.T) {
	address, log := serve(t)
	for kind, most := range map[string]int{"417": 13, "400": 91} {
		c := dial(t, address)
		for before := range most + 1 {
			for _, flush := range []string{"", "?flush"} {
				path := fmt.Sprintf("/alike/%s/%d%s", kind, before, flush)
				res, text := c.ask(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
				if want := alike(kind, strconv.Itoa(before)); res.StatusCode != http.StatusOK || text != want {
					t.Fatalf("%s: %d with %d bytes that differ from what the handler wrote (%d)", path, res.StatusCode,
						len(text), len(want))
				}
			}
		}
	}
	if text := log.String(); strings.Contains(text, "request refused") {
		t.Errorf("the log contains a refusal: %.300s", text)
	}
}

// A2: requests that the library rejects on a connection with earlier requests get the API's error format, even if
// they are sent together with those requests.
func TestErrorsOnReusedConnectionHaveAPIFormat(t *testing.T) {
	address, _ := serve(t)
	const good = "GET /alike/417/0?flush HTTP/1.1\r\nHost: x\r\n\r\n"
	for code, bad := range map[string]string{
		"malformed_request":       "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
		"unsupported_encoding":    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
		"unsupported_expectation": "POST / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\nContent-Length: 1\r\n\r\nx",
	} {
		for name, together := range map[string]bool{"one after the other": false, "together": true} {
			c := dial(t, address)
			first, then := good, bad
			if together {
				first, then = good+bad, ""
			}
			if res, text := c.ask(t, first); res.StatusCode != http.StatusOK || text != alike("417", "0") {
				t.Errorf("%s, %s: the valid request: %d", code, name, res.StatusCode)
			}
			res, text := c.ask(t, then)
			isProblem(t, code+", "+name, code, res, text)
		}
	}
}
