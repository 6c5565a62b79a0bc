package jsbuild

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

func joined(t testing.TB, names []string, before, after string) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(before)
	for _, n := range names {
		data, err := fs.ReadFile(theme.FS(), n)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	b.WriteString(after)
	return b.Bytes()
}

// The front end's budget, compressed as a server sends it.
func TestTheThemeKeepsItsBudget(t *testing.T) {
	for _, part := range []struct {
		name          string
		names         []string
		style         bool
		before, after string
		most          int // bytes, gzip
	}{
		{"theme.js", theme.Scripts(), false, "(() => {\n", "})();\n", 16 << 10},
		{"boot.js", theme.Boot(), false, "(() => {\n", "})();\n", 1 << 10},
		{"theme.css", theme.Styles(), true, "", "", 24 << 10},
	} {
		in := joined(t, part.names, part.before, part.after)
		out, err := Minify(in, part.style)
		if err != nil {
			t.Fatal(err)
		}
		before, after := packed(t, in), packed(t, out)
		t.Logf("%s: %d bytes, %d packed; minified %d, %d packed", part.name, len(in), before, len(out), after)
		if after > part.most {
			t.Errorf("%s is %d bytes packed, at most %d", part.name, after, part.most)
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

func TestMinifyNamesTheLineOfAMistake(t *testing.T) {
	if _, err := Minify([]byte("const a = 1;\nconst = 2;"), false); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}

func TestMinifyKeepsLayers(t *testing.T) {
	out, err := Minify([]byte("@layer a, b;\n@layer b { .x { color: red; } }"), true)
	if err != nil || !strings.HasPrefix(string(out), "@layer a,b;") {
		t.Errorf("got %s, %v", out, err)
	}
}

func BenchmarkMinifyTheme(b *testing.B) {
	script, style := joined(b, theme.Scripts(), "(() => {\n", "})();\n"), joined(b, theme.Styles(), "", "")
	for b.Loop() {
		if _, err := Minify(script, false); err != nil {
			b.Fatal(err)
		}
		if _, err := Minify(style, true); err != nil {
			b.Fatal(err)
		}
	}
}
