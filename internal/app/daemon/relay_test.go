package daemon

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// F1: a bundle server's proxy is available only under host names that the operator configured and under names that no
// one else can control. Another site whose name is changed to point here cannot use it. Pages are served under every
// name.
func TestBundleProxyIsLimitedToKnownHosts(t *testing.T) {
	site, health := freeAddress(t), freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	source := bundlestore.FromFile{Path: largeBundle(t, []byte("a page"))}
	go func() {
		ended <- ServeBundle(ctx, BundleOptions{Source: func() (bundlestore.Source, error) { return source, nil },
			Data: t.TempDir(), Keep: 2, Listen: site, HealthListen: health, Grace: 20 * time.Second,
			PlaygroundProxy: true, PlaygroundHosts: []string{"docs.example.com"}, Version: "test", Now: time.Now,
			Rand: rand.Reader, Logger: slog.New(slog.DiscardHandler)})
	}()
	ask := func(host, path string) (int, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+site+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, nil
		}
		_ = resp.Body.Close() // the body is not needed
		return resp.StatusCode, resp.Header
	}
	limit, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for code := 0; code != http.StatusOK; code, _ = ask(site, "/readyz") {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		case <-limit.Done():
			t.Fatal("it never became ready")
		case <-time.After(10 * time.Millisecond):
		}
	}
	for host, known := range map[string]bool{
		site: true, "127.0.0.1": true, "10.1.2.3:8080": true, "[::1]:8080": true, "[::1]": true, "localhost:8080": true,
		"docs.localhost": true, "docs.example.com": true, "DOCS.example.com:8443": true, "docs.example.com.": true,
		"evil.example": false, "docs.example.com.evil.example": false, "xdocs.example.com": false,
		"127.0.0.1.nip.example": false,
	} {
		status, header := ask(host, capability.ProxyPath)
		if want := map[bool]int{true: http.StatusNoContent, false: http.StatusForbidden}[known]; status != want ||
			(header.Get("Lectern-Proxy") == "1") != known {
			t.Errorf("%s: %d %v", host, status, header)
		}
		if status, _ := ask(host, "/large.bin"); status != http.StatusOK {
			t.Errorf("%s is refused a file: %d", host, status)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
