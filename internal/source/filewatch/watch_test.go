package filewatch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// start watches a folder and returns a channel of the reports.
func start(t *testing.T, dir string, byPoll bool) <-chan []string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reports, ready, done := make(chan []string, 100), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Run(ctx, Options{Dir: dir, Poll: 5 * time.Millisecond, ByPoll: byPoll, Ready: func() { close(ready) }},
			func(files []string) { reports <- files })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	return reports
}

// expect waits until every wanted file has been reported, or a report says that anything may have changed.
func expect(t *testing.T, reports <-chan []string, want ...string) {
	t.Helper()
	missing := slices.Clone(want)
	for len(missing) > 0 {
		select {
		case files := <-reports:
			if files == nil {
				return
			}
			for _, f := range files {
				if !slices.Contains(want, f) && f != filepath.ToSlash(f) {
					t.Errorf("reported %s", f)
				}
			}
			missing = slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(files, f) })
		case <-t.Context().Done():
			t.Fatalf("never reported %v", missing)
		case <-time.After(20 * time.Second):
			t.Fatalf("never reported %v", missing)
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEveryKindOfFileChangeIsReported(t *testing.T) {
	for _, way := range []struct {
		name   string
		byPoll bool
	}{{"by the system", false}, {"by looking", true}} {
		t.Run(way.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "a.mdx", "1")
			put(t, dir, "sub/b.mdx", "1")
			reports := start(t, dir, way.byPoll)
			put(t, dir, "a.mdx", "longer")
			expect(t, reports, "a.mdx")
			put(t, dir, "sub/new.mdx", "1")
			expect(t, reports, "sub/new.mdx")
			put(t, dir, "fresh/deep/c.mdx", "1")
			expect(t, reports, "fresh/deep/c.mdx")
			put(t, dir, "fresh/deep/c.mdx", "changed")
			expect(t, reports, "fresh/deep/c.mdx")
			// as editors save: write a temporary file, then rename it
			put(t, dir, ".a.mdx.swp", "saved by rename")
			if err := os.Rename(filepath.Join(dir, ".a.mdx.swp"), filepath.Join(dir, "a.mdx")); err != nil {
				t.Fatal(err)
			}
			expect(t, reports, "a.mdx")
			if err := os.Remove(filepath.Join(dir, "a.mdx")); err != nil {
				t.Fatal(err)
			}
			expect(t, reports, "a.mdx")
			if err := os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "moved")); err != nil {
				t.Fatal(err)
			}
			expect(t, reports, "moved/b.mdx")
			put(t, dir, "moved/b.mdx", "after the move")
			expect(t, reports, "moved/b.mdx")
			if err := os.RemoveAll(filepath.Join(dir, "moved")); err != nil {
				t.Fatal(err)
			}
			expect(t, reports, "moved/b.mdx")
		})
	}
}

func TestHiddenFoldersAreNotWatched(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".git/index", "1")
	put(t, dir, "node_modules/x/y.js", "1")
	reports := start(t, dir, false)
	put(t, dir, ".git/index", "2")
	put(t, dir, "node_modules/x/y.js", "2")
	put(t, dir, ".lecternignore", "drafts/")
	select {
	case files := <-reports:
		if !slices.Equal(files, []string{".lecternignore"}) {
			t.Errorf("reported %v", files)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no report")
	}
}

func TestWatchOfMissingFolderFails(t *testing.T) {
	if err := Run(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "gone")}, func([]string) {}); err == nil {
		t.Error("no error")
	}
}
