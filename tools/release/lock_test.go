package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/debian"
)

func store() debian.Store {
	return debian.Store{Dir: filepath.Join(cacheDir(), "debian"), Mirror: defaultMirror, Archive: snapshots,
		Client: &http.Client{Timeout: 5 * time.Minute}}
}

// mirrored ensures that the packages pinned by a copy of the repository can be fetched. Debian's mirrors remove a
// version when a newer one is released, which is not a defect of this code. The tests then pin the versions in the
// mirror's current signed indexes, only in the copy, and log this. A release never does that.
func mirrored(ctx context.Context, root string, log io.Writer) error {
	at := filepath.Join(root, lockFile)
	text, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	lock, err := debian.ParseLock(string(text))
	if err != nil {
		return err
	}
	var gone error
	for _, p := range lock.For(linux.Arch) {
		if _, err := store().Fetch(ctx, lock, p); err != nil {
			gone = err
			break
		}
	}
	if gone == nil || !errors.Is(gone, debian.ErrDropped) {
		return gone
	}
	now, err := store().Pin(ctx, lock.Suite, lock.Snapshot, debianKeys, []string{linux.Arch})
	if err != nil {
		return fmt.Errorf("find what the mirror offers instead: %w", err)
	}
	fmt.Fprintf(log,
		"%v\nSo these tests use the versions that the mirror offers now, and not those of %s; a release would be refused. Run make pin-debian.\n", gone, lockFile)
	return os.WriteFile(at, []byte(now.String()), 0o600)
}

// S3: if the mirror has dropped a package, the tests use its current version, but a release fails.
func TestDroppedPackageStopsOnlyReleases(t *testing.T) {
	root := t.TempDir()
	text := string(read(t, filepath.Join(checkout, lockFile)))
	lock, err := debian.ParseLock(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range lock.Packages {
		if p.Name == "dash" {
			p.Version, p.SHA256, p.Path = "0.0.1-1", strings.Repeat("ab", 32), "debian/pool/main/d/dash/dash_0.0.1-1_"+
				p.Arch+".deb"
			lock.Packages[i] = p
		}
	}
	at := filepath.Join(root, lockFile)
	if err := firstError(os.Mkdir(filepath.Dir(at), 0o755),
		os.WriteFile(at, []byte(lock.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := store().Fetch(t.Context(), lock, dash(lock)); !errors.Is(err, debian.ErrDropped) {
		t.Fatalf("fetching a nonexistent version returns the error %v", err)
	}
	var output bytes.Buffer
	if err := mirrored(t.Context(), root, &output); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(output.String(), "dash 0.0.1-1") || !strings.Contains(output.String(), "not those of "+lockFile) {
		t.Errorf("the log is %q", output.String())
	}
	now, err := debian.ParseLock(string(read(t, at)))
	if err != nil {
		t.Fatal(err)
	}
	if len(now.For(linux.Arch)) != len(lock.For(linux.Arch)) {
		t.Errorf("%d packages are found instead of %d", len(now.For(linux.Arch)), len(lock.For(linux.Arch)))
	}
	for _, p := range now.For(linux.Arch) {
		if _, err := store().Fetch(t.Context(), now, p); err != nil {
			t.Error(err)
		}
	}
	output.Reset()
	if err := mirrored(t.Context(), root, &output); err != nil || output.Len() > 0 {
		t.Errorf("the new lock file is replaced again: %v %s", err, output.String())
	}
}

func dash(l debian.Lock) debian.Package {
	for _, p := range l.For(linux.Arch) {
		if p.Name == "dash" {
			return p
		}
	}
	return debian.Package{}
}
