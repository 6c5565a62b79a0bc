package output

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func openDir(t testing.TB, dir string) *Dir {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := NewDir(root)
	t.Cleanup(func() { _ = d.Close(); _ = root.Close() })
	return d
}

func TestDirDoesNotRewriteUnchangedFiles(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir)
	long := text(rand.New(rand.NewPCG(1, 2)), 3*dirBuffer)
	files := []File{
		{Path: "a/same.html", Data: []byte("same")}, {Path: "a/packed.html", Packed: Pack(long, "text/html")},
		{Path: "empty.txt"},
		{Path: "a/changed.html", Data: []byte("old!")}, {Path: "b/longer.html", Data: []byte("short")},
	}
	put := func() {
		for _, f := range files {
			if err := d.Put(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
	}
	put()
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, f := range files {
		if err := os.Chtimes(filepath.Join(dir, f.Path), past, past); err != nil {
			t.Fatal(err)
		}
	}
	files[3].Data, files[4].Data = []byte("new!"), []byte("longer")
	put()
	for i, f := range files {
		info, err := os.Stat(filepath.Join(dir, f.Path))
		if err != nil || info.ModTime().Equal(past) != (i < 3) {
			t.Errorf("%s: written %v, %v", f.Path, info.ModTime(), err)
		}
		want, err := f.Bytes()
		if got, rerr := os.ReadFile(filepath.Join(dir, f.Path)); err != nil || rerr != nil ||
			string(got) != string(want) {
			t.Errorf("%s holds %d bytes, %v %v", f.Path, len(got), err, rerr)
		}
		if !d.Has(f) {
			t.Errorf("Has returns false for %s", f.Path)
		}
	}
	for _, f := range []File{{Path: "a/none.html"}, {Path: "none/x.html"}, {Path: "../x"},
		{Path: "a/same.html", Data: []byte("sane")}} {
		if d.Has(f) {
			t.Errorf("Has returns true for %s", f.Path)
		}
	}
}

func TestDirRefusesContentWithTheWrongDigest(t *testing.T) {
	d := openDir(t, t.TempDir())
	p := Pack([]byte(strings.Repeat("a page ", 1000)), "text/html")
	p.SHA256[0]++
	if err := d.Put(t.Context(), File{Path: "a.html", Packed: p}); err == nil {
		t.Error("wrote the file")
	}
}

// BenchmarkDir writes 25,000 files per iteration, to new and to existing files.
func BenchmarkDir(b *testing.B) {
	f := File{ContentType: "text/html; charset=utf-8", Data: text(rand.New(rand.NewPCG(1, 1)), 10_000)}
	f.Packed = Pack(f.Data, f.ContentType)
	names := make([]string, 25_000)
	for i := range names {
		names[i] = fmt.Sprintf("guides/section-%d/some-page-%d.html", i/100, i)
	}
	fill := func(b *testing.B, dir string) {
		d := openDir(b, dir)
		for _, f.Path = range names {
			if err := d.Put(context.Background(), f); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			dir := b.TempDir()
			b.StartTimer()
			fill(b, dir)
		}
	})
	b.Run("same", func(b *testing.B) {
		dir := b.TempDir()
		fill(b, dir)
		for b.Loop() {
			fill(b, dir)
		}
	})
}
