package jsbuild

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

// sheets returns the joined style sheets of the theme.
func sheets(t testing.TB, names []string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, n := range names {
		data, err := fs.ReadFile(theme.FS(), n)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.Bytes()
}

// The size budget of the front end, compressed as a server sends it. Of theme.js, 1 KiB is for trees that open in place
// and for menus of sample languages. Another 1 KiB is for searches that send a single request to a server or show
// titles before texts, which makes a search load 300 kB less. 256 bytes are for readers of private sites: their values,
// and a button to sign out. Another 256 bytes are for pages that the search suggests before the reader types, and for
// the last row of the search, which passes the query to the assistant.
func TestThemeStaysWithinItsSizeBudget(t *testing.T) {
	script := func(entry string) func() ([]byte, error) { return Script{Source: theme.FS(), Entry: entry}.Bundle }
	for _, part := range []struct {
		name string
		made func() ([]byte, error)
		most int // bytes, gzip
	}{
		{"theme.js", script(theme.Script), 18<<10 + 512},
		{"boot.js", script(theme.Boot), 1 << 10},
		{"theme.css", func() ([]byte, error) { return MinifyStyle(sheets(t, theme.Styles())) }, 24 << 10},
	} {
		out, err := part.made()
		if err != nil {
			t.Fatal(err)
		}
		size := packed(t, out)
		t.Logf("%s: %d bytes, %d packed", part.name, len(out), size)
		if size > part.most {
			t.Errorf("%s is %d bytes packed, at most %d", part.name, size, part.most)
		}
	}
}

func packed(t testing.TB, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = zip.Write(data)
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func TestMinifyKeepsLayers(t *testing.T) {
	out, err := MinifyStyle([]byte("@layer a, b;\n@layer b { .x { color: red; } }"))
	if err != nil || !strings.HasPrefix(string(out), "@layer a,b;") {
		t.Errorf("got %s, %v", out, err)
	}
}

func BenchmarkTheme(b *testing.B) {
	style := sheets(b, theme.Styles())
	for b.Loop() {
		if _, err := (Script{Source: theme.FS(), Entry: theme.Script}).Bundle(); err != nil {
			b.Fatal(err)
		}
		if _, err := MinifyStyle(style); err != nil {
			b.Fatal(err)
		}
	}
}
