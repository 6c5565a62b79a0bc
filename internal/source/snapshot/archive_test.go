package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// folderOf returns a project whose source is a new folder with these files.
func folderOf(t testing.TB, files map[string]string) project.Project {
	t.Helper()
	return project.Project{ID: "p", Source: project.Source{Path: worktest.Write(t, files)}}
}

func fetch(t testing.TB, b *worktest.Env, p project.Project, like *snapshot.Source) *snapshot.Source {
	t.Helper()
	src, err := b.Source.Fetch(t.Context(), p, "", t.TempDir(), like)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	return src
}

func open(t testing.TB, b *worktest.Env, key string) *snapshot.Source {
	t.Helper()
	src, err := b.Source.Open(t.Context(), key, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	return src
}

// texts returns the files of a source and checks their digests. All files of the source must have one.
func texts(t testing.TB, src *snapshot.Source) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(src.FS, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(p, ".lectern/") {
			return err
		}
		data, err := fs.ReadFile(src.FS, p)
		out[p] = string(data)
		if sum, ok := src.Sum(p); !ok || sum != sha256.Sum256(data) {
			t.Errorf("%s: digest is %x, known: %t", p, sum, ok)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFetchTakesOverUnchangedFiles publishes a sequence of commits, each from the stored source of the one before.
func TestFetchTakesOverUnchangedFiles(t *testing.T) {
	b := worktest.New(t)
	dir := t.TempDir()
	git := func(args ...string) { t.Helper(); testgit.Run(t, dir, args...) }
	git("init", "-q", "-b", "main")
	p := project.Project{ID: "p", DocsFolder: "docs",
		Source: project.Source{Repository: "file://" + dir, Branch: "main"}}
	files := map[string]string{"docs/index.mdx": strings.Repeat("# Index\n", 100), "docs/a.mdx": "a",
		"docs/b/c.mdx": "c", "docs/pic.png": "\x89PNG", "docs/empty.mdx": ""}
	var last *snapshot.Source
	for i, change := range []func(){
		func() {},
		func() { files["docs/a.mdx"] = "changed" },
		func() { delete(files, "docs/b/c.mdx"); files["docs/b"] = "a file in place of a folder" },
		func() { files["docs/copy.mdx"] = files["docs/index.mdx"]; delete(files, "docs/pic.png") },
		func() { delete(files, "docs/b"); files["docs/b/c.mdx"] = "c"; files["docs/index.mdx"] = "new" },
		func() { files["docs/.lectern/remote/index.json"] = "[]" },
	} {
		change()
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if e.Name() != ".git" {
				err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		worktest.Rewrite(t, dir, files)
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", "Edit")
		src := fetch(t, b, p, last)
		want := map[string]string{}
		for name, text := range files {
			if !strings.HasPrefix(name, "docs/.lectern/") {
				want[strings.TrimPrefix(name, "docs/")] = text
			}
		}
		key := snapshot.Key("p", string(rune('a'+i)))
		if err := b.Source.Save(t.Context(), key, src, nil); err != nil {
			t.Fatal(err)
		}
		last = open(t, b, key)
		for what, s := range map[string]*snapshot.Source{"fetched": src, "stored": last} {
			if got := texts(t, s); !maps.Equal(got, want) {
				t.Errorf("commit %d, %s: %v, want %v", i, what, got, want)
			}
		}
		if src.Files != len(want) {
			t.Errorf("commit %d: %d files are reported, not %d", i, src.Files, len(want))
		}
		at, err := b.Source.FetchAt(t.Context(), p, "main", src.Commit, t.TempDir(), last)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(t, at); !maps.Equal(got, want) || at.Close() != nil {
			t.Errorf("commit %d, at its id: %v, want %v", i, got, want)
		}
		if whole := fetch(t, b, p, nil); !bytes.Equal(archiveBytes(t, b, whole), archiveBytes(t, b, src)) {
			t.Errorf("commit %d: its archive depends on the earlier one", i)
		}
	}
}

func archiveBytes(t testing.TB, b *worktest.Env, src *snapshot.Source) []byte {
	t.Helper()
	key := snapshot.Key("p", "compared")
	if err := b.Source.Save(t.Context(), key, src, nil); err != nil {
		t.Fatal(err)
	}
	return read(t, b, key)
}

func read(t testing.TB, b *worktest.Env, key string) []byte {
	t.Helper()
	r, _, err := b.Source.Blob.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return data
}

// A damaged byte must not be taken over from one update to the next.
func TestDamagedArchiveIsNotTakenOver(t *testing.T) {
	b := worktest.New(t)
	files := map[string]string{"a.mdx": strings.Repeat("some text ", 500), "b.mdx": "b", "c.png": "\x89PNG"}
	p := folderOf(t, files)
	key := snapshot.Key("p", "good")
	if err := b.Source.Save(t.Context(), key, fetch(t, b, p, nil), nil); err != nil {
		t.Fatal(err)
	}
	good := read(t, b, key)
	for i := 0; i < len(good); i += 7 {
		bad := slices.Clone(good)
		bad[i] ^= 0x10
		key := snapshot.Key("p", "bad")
		if _, err := b.Source.Blob.Put(t.Context(), key, bytes.NewReader(bad)); err != nil {
			t.Fatal(err)
		}
		like, err := b.Source.Open(t.Context(), key, t.TempDir())
		if err != nil {
			continue
		}
		src, err := b.Source.Fetch(t.Context(), p, "", t.TempDir(), like)
		if err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		next := snapshot.Key("p", "next")
		if err := b.Source.Save(t.Context(), next, src, nil); err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		if got := texts(t, open(t, b, next)); !maps.Equal(got, files) {
			t.Fatalf("byte %d changed: %v", i, got)
		}
		if err := errors.Join(src.Close(), like.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// B11: a source cannot set its own digests. If it could, it would get results of other sources from the build cache.
func TestSourceCannotSetItsDigests(t *testing.T) {
	b := worktest.New(t)
	p := folderOf(t, map[string]string{"a.mdx": "a", ".git/digests": "0 bytes 00000000\n" +
		strings.Repeat("0", 63) + "1 - a.mdx\n"})
	src := fetch(t, b, p, nil)
	key := snapshot.Key("p", "d-1")
	if err := b.Source.Save(t.Context(), key, src, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*snapshot.Source{src, open(t, b, key)} {
		if got := texts(t, s); !maps.Equal(got, map[string]string{"a.mdx": "a"}) {
			t.Errorf("%v", got)
		}
	}
}

// The name of a folder's state is computed without reading it into an archive, too.
func TestReservedFilesCountForTheNameOfAFolder(t *testing.T) {
	b := worktest.New(t)
	var names []string
	for _, text := range []string{"one", "two"} {
		names = append(names, fetch(t, b, folderOf(t, map[string]string{"a.mdx": "a", ".lectern/remote/x": text}), nil).Commit)
	}
	if names[0] == names[1] {
		t.Errorf("both folders have the name %s", names[0])
	}
}
