package certificate

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

func openStorage(t *testing.T, file, secret string) *storage {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: file, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return newStorage(st, [][]byte{[]byte(strings.Repeat(secret, 32))}, rand.Reader)
}

func TestStorageHandlesFilesAndFolders(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	file := storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db"))
	s := openStorage(t, file, "a")
	for _, name := range []string{"acme/ca/a/key", "acme/ca/a/crt", "acme/ca/b/key"} {
		if err := s.Store(ctx, name, []byte("content of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	list := func(path string, recursive bool, want ...string) {
		t.Helper()
		got, err := s.List(ctx, path, recursive)
		slices.Sort(got)
		if !slices.Equal(got, want) || (err == nil) != (len(want) > 0) {
			t.Errorf("%q: %q, %v; want %q", path, got, err, want)
		}
	}
	list("acme/ca", false, "acme/ca/a", "acme/ca/b")
	list("acme/ca/", true, "acme/ca/a/crt", "acme/ca/a/key", "acme/ca/b/key")
	list("", false, "acme")
	list("acme/c", true)
	if info, err := s.Stat(ctx, "acme/ca/a"); err != nil || info.IsTerminal {
		t.Errorf("folder: %+v, %v", info, err)
	}
	if info, err := s.Stat(ctx, "acme/ca/a/key"); err != nil || !info.IsTerminal || info.Size != 24 {
		t.Errorf("file: %+v, %v", info, err)
	}
	raw, err := s.Load(ctx, "acme/ca/a/key")
	if err != nil || string(raw) != "content of acme/ca/a/key" {
		t.Errorf("%q, %v", raw, err)
	}
	if _, err := openStorage(t, file, "b").Load(ctx, "acme/ca/a/key"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("with another secret key: %v", err)
	}
	if err := s.Delete(ctx, "acme/ca/a"); err != nil || s.Exists(ctx, "acme/ca/a/key") || !s.Exists(ctx, "acme/ca/b") {
		t.Errorf("after deletion: %v", err)
	}
	if _, err := s.Load(ctx, "acme/ca/a/key"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("deleted: %v", err)
	}
}

func TestLockIsHeldByOneProcess(t *testing.T) {
	t.Parallel()
	file := storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db"))
	a, b := openStorage(t, file, "a"), openStorage(t, file, "a")
	if err := a.Lock(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	wait, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := b.Lock(wait, "x"); err == nil {
		t.Fatal("two processes hold the lock")
	}
	held := make(chan error)
	go func() { held <- b.Lock(t.Context(), "x") }()
	if err := a.Unlock(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if err := <-held; err != nil {
		t.Fatal(err)
	}
	if err := b.Unlock(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if err := b.Unlock(t.Context(), "x"); err == nil {
		t.Error("a lock that nobody holds was released")
	}
}
