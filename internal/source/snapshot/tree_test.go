package snapshot

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// archiveOf returns a zip archive with the named entries. A name may be followed by "|" and a mode.
func archiveOf(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		name, kind, _ := strings.Cut(name, "|")
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(map[string]fs.FileMode{"": 0o644, "link": fs.ModeSymlink | 0o777,
			"pipe": fs.ModeNamedPipe | 0o644}[kind])
		e, err := w.CreateHeader(h)
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = e.Write([]byte(strings.Repeat(name, 100)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// B11: archives that can only be attacks are refused, even if an attacker can write to the store.
func TestInvalidArchivesAreRefused(t *testing.T) {
	limits := sourcetree.Limits{Files: 3, Bytes: 10_000}
	for _, names := range [][]string{
		{"../a"}, {"/a"}, {"a/../b"}, {`a/./b`}, {"a//b"}, {"dir/"}, {""}, {"link|link"}, {"pipe|pipe"}, {"a", "a"},
		{"a", "a/b"}, {"a/b", "a"},
	} {
		raw := archiveOf(t, names...)
		if _, _, err := openTree(bytes.NewReader(raw), int64(len(raw)), limits.OrDefault()); err == nil {
			t.Errorf("opened %q", names)
		}
	}
	large := zipOf(t, strings.Repeat("x", 10_001))
	if _, _, err := openTree(bytes.NewReader(large), int64(len(large)), limits.OrDefault()); !errors.Is(err, errLarge) {
		t.Errorf("opened a large archive: %v", err)
	}
}

func zipOf(t testing.TB, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	a := output.NewZip(&b)
	if err := errors.Join(a.Put(t.Context(), output.File{Path: "a.mdx", Data: []byte(data)}), a.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAlteredContentIsAnError(t *testing.T) {
	text := strings.Repeat("some text ", 500)
	raw := zipOf(t, text)
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x40
		tr, _, err := openTree(bytes.NewReader(bad), int64(len(bad)), sourcetree.Limits{}.OrDefault())
		if err != nil {
			continue
		}
		if got, err := fs.ReadFile(tr, "a.mdx"); err == nil && string(got) != text {
			t.Fatalf("byte %d changed: %d bytes served", i, len(got))
		}
	}
}

func FuzzTree(f *testing.F) {
	f.Add(archiveOf(f, "a.mdx", "b/c.mdx"))
	f.Add(archiveOf(f, "a", "b|link"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tr, _, err := openTree(bytes.NewReader(raw), int64(len(raw)),
			sourcetree.Limits{Files: 100, Bytes: 1 << 20}.OrDefault())
		if err != nil {
			return
		}
		err = fs.WalkDir(tr, ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || !fs.ValidPath(p) || !d.IsDir() && !d.Type().IsRegular() {
				return fmt.Errorf("%q %v: %w", p, d, err)
			}
			if !d.IsDir() {
				_, _ = fs.ReadFile(tr, p) // must not panic
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
