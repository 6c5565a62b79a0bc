package bundlehost

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// sink is a response writer that discards the body.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(int)             {}

// Cached responses need almost no allocations: nearly all the work for a page is done by the HTTP server.
func TestCachedResponseBarelyAllocates(t *testing.T) {
	r := start(t, newOrigin(t, bundleOf(t, "v1")).URL, setup{dir: t.TempDir()})
	r.ready(t)
	w, id := &sink{http.Header{}}, []string{"req_1"}
	for _, header := range [][2]string{{"Accept-Encoding", "gzip, deflate, br"},
		{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}, {"If-None-Match", `"x"`}} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/guides/start", nil)
		req.Header.Set(header[0], header[1])
		if header[0] == "If-None-Match" {
			resp, _ := r.get(t, "/guides/start", "Accept-Encoding: identity")
			req.Header.Set("If-None-Match", resp.Header.Get("ETag"))
		}
		n := testing.AllocsPerRun(200, func() {
			clear(w.header)
			w.header["X-Request-Id"] = id // set as in a complete server
			r.Config.Handler.ServeHTTP(w, req)
		})
		if n > 2 {
			t.Errorf("%s: %v allocations for each request", header[0], n)
		}
	}
}
