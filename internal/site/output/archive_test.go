package output

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

func sample() []File {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	return []File{
		{Path: "index.html", ContentType: "text/html; charset=utf-8",
			Data: []byte("<!doctype html>" + strings.Repeat("hello ", 50_000))},
		{Path: "a/été.png", ContentType: "image/png", Data: noise},
		{Path: "empty.txt", ContentType: "text/plain; charset=utf-8"},
		{Path: strings.Repeat("long/", 60) + "name.txt", ContentType: "text/plain; charset=utf-8", Data: []byte("x")},
		{Path: "noise.txt", ContentType: "text/plain; charset=utf-8", Data: noise[:1000]},
	}
}

func pack(t *testing.T, open func(io.Writer) *Archive) []byte {
	t.Helper()
	var b bytes.Buffer
	a := open(&b)
	for _, f := range sample() {
		if err := a.Put(context.Background(), f); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// B6: the same files produce the same archives, regardless of the number of processors and the time zone.
func TestArchivesAreByteIdentical(t *testing.T) {
	for name, open := range map[string]func(io.Writer) *Archive{"tar.gz": NewTarGz, "zip": NewZip} {
		t.Run(name, func(t *testing.T) {
			first := pack(t, open)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			for _, procs := range []int{1, 2, 8} {
				runtime.GOMAXPROCS(procs)
				t.Setenv("TZ", fmt.Sprintf("Etc/GMT+%d", procs))
				if again := pack(t, open); !bytes.Equal(first, again) {
					t.Fatalf("with GOMAXPROCS=%d the archive differs", procs)
				}
			}
		})
	}
}

func TestTarGzHoldsTheFilesWithFixedMetadata(t *testing.T) {
	gz, err := gzip.NewReader(bytes.NewReader(pack(t, NewTarGz)))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(gz)
	for _, want := range sample() {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || h.Name != want.Path || !bytes.Equal(data, want.Data) {
			t.Fatalf("entry %q (%d bytes, %v), want %q (%d bytes)", h.Name, len(data), err, want.Path, len(want.Data))
		}
		if h.Mode != 0o644 || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || !h.ModTime.Equal(epoch) ||
			h.Typeflag != tar.TypeReg {
			t.Errorf("entry %q has metadata %+v", h.Name, h)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last entry: %v", err)
	}
}

func TestZipStoresFilesThatAreAlreadyCompressed(t *testing.T) {
	data := pack(t, NewZip)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range sample() {
		f := r.File[i]
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(rc) // checks the CRC at the end
		if err != nil || f.Name != want.Path || !bytes.Equal(got, want.Data) {
			t.Fatalf("entry %q (%d bytes, %v), want %q", f.Name, len(got), err, want.Path)
		}
		if stored := f.Method == zip.Store; stored != (want.Path == "a/été.png" || len(want.Data) < 2 ||
			want.Path == "noise.txt") {
			t.Errorf("entry %q: stored = %v", f.Name, stored)
		}
		if y, m, d := f.Modified.UTC().Date(); y != 1980 || m != 1 || d != 1 || f.Mode() != 0o644 {
			t.Errorf("entry %q: time %v mode %v", f.Name, f.Modified, f.Mode())
		}
	}
}

func TestSinksRefusePathsOutsideTheTree(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, s := range map[string]Sink{"tar": NewTarGz(io.Discard), "zip": NewZip(io.Discard), "dir": NewDir(root),
		"ledger": NewLedger(Tee(), "")} {
		for _, p := range []string{"", ".", "..", "../a", "/a", "a/../b", "a//b", `a\b`, "a\x00b", "c:/a", "a\nb", "a/",
			"\xff"} {
			if err := s.Put(context.Background(), File{Path: p}); err == nil {
				t.Errorf("%s accepted %q", name, p)
			}
		}
	}
}

func TestDirWritesOnlyInsideItsFolder(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(out, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	d := NewDir(root)
	if err := d.Put(context.Background(), File{Path: "link/x", Data: []byte("x")}); err == nil {
		t.Error("wrote through a link that leaves the folder")
	}
	for _, text := range []string{"one", "two"} { // the second one overwrites the first
		if err := d.Put(context.Background(), File{Path: "a/b/c.txt", Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a/b/c.txt")); err != nil || string(got) != "two" {
		t.Errorf("got %q, %v", got, err)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
}

type brokenWriter struct{}

var errDisk = errors.New("disk is full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestArchiveReportsWriterErrorWithoutLeakingGoroutines(t *testing.T) {
	for name, open := range map[string]func(io.Writer) *Archive{"tar.gz": NewTarGz, "zip": NewZip} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // fails if a goroutine stays blocked
				a := open(brokenWriter{})
				for range 40 {
					_ = a.Put(t.Context(), File{Path: "x", Data: make([]byte, 100_000)})
				}
				if err := a.Close(); !errors.Is(err, errDisk) {
					t.Errorf("Close = %v", err)
				}
				if err := a.Put(t.Context(), File{Path: "y"}); err == nil {
					t.Error("Put after Close succeeded")
				}
			})
		})
	}
}

func TestPutStopsWhenContextIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := NewTarGz(io.Discard)
	if err := a.Put(ctx, File{Path: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v", err)
	}
	if err := a.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("Close = %v", err)
	}
}
