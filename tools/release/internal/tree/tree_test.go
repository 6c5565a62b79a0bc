package tree

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"
	"time"
)

// S1: the order in which files are added does not change the archive.
func TestFileOrderDoesNotMatter(t *testing.T) {
	files := []File{{Name: "b/c", Mode: 0o644, Body: []byte("c")}, {Name: "a", Mode: 0o755, Body: []byte("a")},
		{Name: "b/l", Link: "c"}, Dir("tmp", 0o777|fs.ModeSticky)}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	one, err := TarGz("p/", files, at)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(files)
	other, err := TarGz("p/", files, at.UTC())
	if err != nil || !bytes.Equal(one, other) {
		t.Fatalf("the same files in another order give different bytes (error %v)", err)
	}
	var names []string
	for _, h := range list(t, one) {
		names = append(names, h.Name)
		if h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(at.Truncate(time.Second)) {
			t.Errorf("%s has the owner %d %q and the time %s", h.Name, h.Uid, h.Uname, h.ModTime)
		}
		if h.Name == "p/tmp/" && h.Mode != 0o1777 {
			t.Errorf("%s has the mode %o", h.Name, h.Mode)
		}
	}
	if want := []string{"p/a", "p/b/", "p/b/c", "p/b/l", "p/tmp/"}; !slices.Equal(names, want) {
		t.Errorf("the archive has %v, want %v", names, want)
	}
}

func TestInvalidOrConflictingNamesAreRefused(t *testing.T) {
	for name, files := range map[string][]File{
		"absolute": {{Name: "/a"}}, "above": {{Name: "../a"}}, "not clean": {{Name: "a//b"}}, "nothing": {{Name: ""}},
		"twice": {{Name: "a"}, {Name: "a"}}, "file as folder": {{Name: "a"}, {Name: "a/b"}},
	} {
		if err := Tar(io.Discard, "", files, time.Time{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func list(t *testing.T, packed []byte) []*tar.Header {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var out []*tar.Header
	for tr := tar.NewReader(zip); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
}
