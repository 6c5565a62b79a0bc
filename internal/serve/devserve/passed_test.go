package devserve

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// A preview runs for a long time, so its results must be available to builds that start while it runs.
func TestPreviewSavesCacheAfterEachPass(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"docs.json": `{"name": "T", "navigation": {"pages": ["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nOne.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := buildcache.Open(filepath.Join(t.TempDir(), "cache"), buildcache.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	session := cache.Begin()
	tools, err := build.NewTools()
	if err != nil {
		t.Fatal(err)
	}
	live := build.NewLive(os.DirFS(dir),
		build.Options{Links: link.Clean, Tools: tools, Workers: 2, Cache: session, Program: session.Program()})
	seen := make(chan int, 10) // records in the folder after each pass
	passed := func() {
		session.Flush()
		u, err := cache.Usage()
		if err != nil {
			t.Error(err)
		}
		seen <- u.Records
	}
	server := New(Options{Live: live, Source: os.DirFS(dir), Now: time.Now, Quiet: time.Millisecond,
		Say: func(string) {}, Passed: passed})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		live.Close()
		_ = tools.Close()
		session.Close()
		_ = cache.Close()
	})
	if err := server.Changed(ctx, nil); err != nil {
		t.Fatal(err)
	}
	wg.Go(func() { server.Run(ctx) })
	first := <-seen
	if err := os.WriteFile(filepath.Join(dir, "index.mdx"), []byte("---\ntitle: Home\n---\nTwo.\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := server.Changed(ctx, []string{"index.mdx"}); err != nil {
		t.Fatal(err)
	}
	if second := <-seen; first == 0 || second <= first {
		t.Errorf("%d records after the first pass, %d after the second", first, second)
	}
}

// Requests for files that only a build of the whole site generates wait for the first build. If that build finds that
// the folder has changed, they do not wait for the next one, which starts only when the change is reported, possibly
// much later.
func TestRequestsDoNotWaitForOutdatedBuild(t *testing.T) {
	docs := fstest.MapFS{"docs.json": {Data: []byte(`{"name": "x", "navigation": ["index"]}`)},
		"index.mdx": {Data: []byte("Home [a](/a.txt)")}, "a.txt": {Data: []byte("plain")}}
	tools, err := build.NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	live := build.NewLive(docs, build.Options{Links: link.Clean, Tools: tools, Workers: 1})
	defer live.Close()
	server := New(Options{Live: live, Source: docs, Now: time.Now, Say: func(string) {}})
	if err := server.Changed(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	delete(docs, "a.txt")
	if err := server.pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-server.passed:
	default:
		t.Error("requests still wait")
	}
}
