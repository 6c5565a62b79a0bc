package daemon

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// largeBundle returns a bundle with one file that is too large for any socket buffer.
func largeBundle(t *testing.T, content []byte) string {
	t.Helper()
	m := output.Manifest{Format: output.ManifestFormat, Tool: "test", Version: "v1", Features: []string{},
		Files: []output.ManifestFile{{Path: "large.bin", Size: int64(len(content)), SHA256: sha256.Sum256(content),
			Type: "application/octet-stream"}}}
	m.TreeHash = m.Hash()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for name, data := range map[string][]byte{"large.bin": content, output.ManifestPath: raw} {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(data)), Mode: 0o644})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "large.tar.gz")
	if w.Close() != nil || gz.Close() != nil || os.WriteFile(name, b.Bytes(), 0o644) != nil {
		t.Fatal("write bundle")
	}
	return name
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// H6: a bundle server that is stopping completes the responses it has started to send, and is not ready during that
// time.
func TestBundleServerDrainsBeforeItStops(t *testing.T) {
	content := bytes.Repeat([]byte("lines of a large file\n"), 1<<20)
	site, health := freeAddress(t), freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	source := bundlestore.FromFile{Path: largeBundle(t, content)}
	go func() {
		ended <- ServeBundle(ctx, BundleOptions{Source: func() (bundlestore.Source, error) { return source, nil },
			Data: t.TempDir(), Keep: 2, Listen: site, HealthListen: health,
			Grace: 30 * time.Second, Version: "test", Now: time.Now, Rand: rand.Reader,
			Logger: slog.New(slog.DiscardHandler)})
	}()
	until := func(path string, status int) string {
		t.Helper()
		limit, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for {
			if resp, err := http.Get("http://" + health + path); err == nil {
				body, _ := io.ReadAll(resp.Body)
				if _ = resp.Body.Close(); resp.StatusCode == status {
					return string(body)
				}
			}
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			case <-limit.Done():
				t.Fatalf("%s never answered %d", path, status)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	until("/readyz", http.StatusOK)
	if text := until("/metrics", http.StatusOK); !strings.Contains(text, "lectern_bundle_received_total 1") ||
		!strings.Contains(text, "lectern_bundle_ready 1") {
		t.Errorf("metrics lack the bundle's: %.300s", text)
	}
	resp, err := http.Get("http://" + site + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	stop()
	until("/readyz", http.StatusServiceUnavailable)
	until("/healthz", http.StatusOK)
	if got, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(got, content) {
		t.Errorf("read %d of %d bytes, %v", len(got), len(content), err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
