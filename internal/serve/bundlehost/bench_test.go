package bundlehost

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkPage serves one compressed page without a network.
func BenchmarkPage(b *testing.B) {
	r := start(b, newOrigin(b, bundleOf(b, "v1")).URL, setup{dir: b.TempDir()})
	r.ready(b)
	for b.Loop() {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		if r.Config.Handler.ServeHTTP(w, req); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
