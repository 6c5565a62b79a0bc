package daemon

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// H6, D6, D9: a bundle server reports what it serves and its deployment type. When it is stopped, it immediately
// reports that it is not ready, but continues to serve for the delay and asks clients to reconnect.
func TestBundleServerReportsItsVersionAndDrains(t *testing.T) {
	site, health := freeAddress(t), freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	source := bundlestore.FromFile{Path: largeBundle(t, []byte("a page"))}
	go func() {
		ended <- ServeBundle(ctx, BundleOptions{Source: func() (bundlestore.Source, error) { return source, nil },
			Data: t.TempDir(), Keep: 2, Listen: site, HealthListen: health,
			Deployment: feature.AirGapped, Delay: 5 * time.Second, Grace: 20 * time.Second, Version: "test",
			Now: time.Now, Rand: rand.Reader, Logger: slog.New(slog.DiscardHandler)})
	}()
	get := func(address, path string) (int, http.Header, string) {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, nil, ""
		}
		defer func() { _ = resp.Body.Close() }()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, http.Header{"Connection": {map[bool]string{true: "close"}[resp.Close]}}, string(body)
	}
	until := func(path string, status int) {
		t.Helper()
		limit, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for code := 0; code != status; code, _, _ = get(health, path) {
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
	_, _, text := get(health, "/version")
	var about bundleAbout
	if err := json.Unmarshal([]byte(text), &about); err != nil || about.Deployment.Type != feature.AirGapped ||
		about.Deployment.Features.Search.State != feature.Unavailable ||
		about.Bundle == nil || about.Bundle.Version != "v1" || !about.Ready || about.Program != "test" ||
		about.Playground.Proxy || !about.Playground.Closed {
		t.Errorf("/version: %v %s", err, text)
	}
	_, _, figures := get(health, "/metrics")
	for _, want := range []string{`lectern_bundle_info{commit="",deployment_type="air-gapped",digest="` +
		about.Bundle.Digest + `",version="v1"} 1`, "lectern_bundle_age_seconds ",
		"lectern_bundle_fetch_failures_total 0",
		"lectern_bundle_received_timestamp_seconds 1", "lectern_bundle_source_answered_timestamp_seconds 1",
		"lectern_bundle_pages 0"} {
		if !strings.Contains(figures, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	if code, h, _ := get(site, "/large.bin"); code != http.StatusOK || h.Get("Connection") == "close" {
		t.Errorf("before it stops: %d %v", code, h)
	}
	if code, _, _ := get(site, "/version"); code != http.StatusNotFound {
		t.Errorf("readers can see the server's /version: %d", code)
	}
	stop()
	until("/readyz", http.StatusServiceUnavailable)
	for range 3 {
		if code, h, body := get(site, "/large.bin"); code != http.StatusOK || body != "a page" ||
			h.Get("Connection") != "close" {
			t.Errorf("while it drains: %d %v %q", code, h, body)
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// Readers may query whether a server is ready, but must not learn the source of its bundles; operators may.
func TestBundleSourceIsHiddenFromReaders(t *testing.T) {
	site, health := freeAddress(t), freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	source := bundlestore.FromFile{Path: t.TempDir() + "/private-folder/site.tar.gz"}
	go func() {
		ended <- ServeBundle(ctx, BundleOptions{Source: func() (bundlestore.Source, error) { return source, nil },
			Expect: bundlestore.Expect{Version: "v3"}, Data: t.TempDir(), Keep: 2, Listen: site, HealthListen: health,
			Deployment: feature.AirGapped, Version: "test", Now: time.Now, Rand: rand.Reader,
			Logger: slog.New(slog.DiscardHandler)})
	}()
	read := func(address, path string) string {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return ""
		}
		defer func() { _ = resp.Body.Close() }()
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	}
	limit, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !strings.Contains(read(health, "/version"), "private-folder") ||
		!strings.Contains(read(health, "/readyz"), "private-folder") {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		case <-limit.Done():
			t.Fatalf("operators do not see it: %s", read(health, "/version"))
		case <-time.After(10 * time.Millisecond):
		}
	}
	if got := strings.TrimSpace(read(site,
		"/readyz")); got != `not ready: version "v3" is required but not available yet` {
		t.Errorf("readers see %q", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
