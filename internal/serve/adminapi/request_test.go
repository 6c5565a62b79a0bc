package adminapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask is one request.
type ask struct {
	method, path, key, body string
	header                  map[string]string
}

// reply is one response.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request and checks the response against the API description (A1).
func (w *world) do(t testing.TB, a ask) reply {
	t.Helper()
	var body io.Reader
	if a.body != "" {
		body = strings.NewReader(a.body)
	}
	req, err := http.NewRequestWithContext(t.Context(), a.method, w.server.URL+a.path, body)
	must(t, err)
	if a.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.key != "" {
		req.Header.Set("Authorization", "Bearer "+a.key)
	}
	for k, v := range a.header {
		req.Header.Set(k, v)
	}
	req.Host = a.header["Host"] // "" = the server's own
	res, err := w.server.Client().Do(req)
	must(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	must(t, err)
	got := reply{status: res.StatusCode, header: res.Header, body: raw}
	described.check(t, a, got)
	return got
}

// want fails the test unless the response has the status, and returns the response.
func (r reply) want(t testing.TB, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	return r
}

// read decodes the body.
func read[T any](t testing.TB, r reply) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("body %q: %v", r.body, err)
	}
	return v
}

// object returns a decoded body.
func (r reply) object(t testing.TB) map[string]any { t.Helper(); return read[map[string]any](t, r) }

// code returns the body's stable error code.
func (r reply) code(t testing.TB) string { t.Helper(); return fmt.Sprint(r.object(t)["code"]) }

// alike returns the body without the parts that differ between responses.
func (r reply) alike(t testing.TB) string {
	t.Helper()
	o := r.object(t)
	delete(o, "requestId")
	raw, err := json.Marshal(o)
	must(t, err)
	return string(raw)
}

func serve(t testing.TB, h http.Handler) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
