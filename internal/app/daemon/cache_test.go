package daemon

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
)

// startCore opens the parts that servers and workers share, and returns the first log lines.
func startCore(t *testing.T, change func(*config.Server)) (c *core, log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	s := config.Defaults()
	s.Data = filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(s.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	change(&s)
	c, err := openCore(t.Context(), Options{Config: s, Now: time.Now, Rand: rand.Reader,
		Logger: slog.New(slog.NewTextHandler(log, nil))}, func() string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	})
	return c, log
}

func TestServerStoresAndMeasuresItsBuildCache(t *testing.T) {
	c, _ := startCore(t, func(*config.Server) {})
	if c.cache == nil || c.cache.Dir() != filepath.Join(c.Config.Data, "cache") || c.cache.MaxBytes() != 2<<30 {
		t.Fatalf("the cache is %+v", c.cache)
	}
	n := c.cache.Begin()
	n.Put([32]byte{1}, []byte("value"))
	_, _ = n.Get([32]byte{1})
	_, _ = n.Get([32]byte{2})
	n.Close()
	w := httptest.NewRecorder()
	c.metrics.Handler(c.Logger).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range []string{"lectern_build_cache_hits_total 1", "lectern_build_cache_misses_total 1",
		"lectern_build_cache_read_bytes_total 5", "lectern_build_cache_written_bytes_total 5",
		"lectern_build_cache_bytes "} {
		if !strings.Contains(w.Body.String(), "\n"+line) {
			t.Errorf("the metrics lack %q", line)
		}
	}
}

func TestServerRunsWithoutABuildCache(t *testing.T) {
	if c, _ := startCore(t, func(s *config.Server) { s.CacheMaxBytes = 0 }); c.cache != nil {
		t.Error("a cache that is off is open")
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letters.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, log := startCore(t, func(s *config.Server) { s.CacheFolder = other })
	if c.cache != nil || !strings.Contains(log.String(), "without a cache") ||
		!strings.Contains(log.String(), "letters.txt") {
		t.Errorf("cache %v, log %s", c.cache, log)
	}
}
