package bundlestore

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// tree maps the paths of a bundle's files to their content.
type tree map[string]string

// siteOf returns a small site; each of its files contains the version.
func siteOf(version string) tree {
	return tree{
		"index.html": "<!doctype html><title>" + version + "</title>" +
			strings.Repeat("<p>words of "+version+"</p>", 100),
		"a/b.html": "<p>b of " + version + "</p>", "a/b.md": "# b of " + version, "404.html": "<p>nothing in " +
			version + "</p>",
		"_lectern/a.css": "p{}", "picture.png": "png " + version,
	}
}

// manifest returns the manifest of the tree's files.
func (t tree) manifest(version string) string {
	m := output.Manifest{Format: output.ManifestFormat, Tool: "test", Version: version, Features: []string{}, Pages: 2}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		m.Files = append(m.Files, output.ManifestFile{Path: path, Size: int64(len(t[path])),
			SHA256: sha256.Sum256([]byte(t[path])), Type: output.ContentType(path)})
	}
	m.TreeHash = m.Hash()
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// sealed returns the tree with its manifest.
func (t tree) sealed(version string) tree {
	out := maps.Clone(t)
	out[output.ManifestPath] = t.manifest(version)
	return out
}

func (t tree) tarGz(test testing.TB) []byte {
	test.Helper()
	var list []*tar.Header
	for _, path := range slices.Sorted(maps.Keys(t)) {
		list = append(list, &tar.Header{Typeflag: tar.TypeReg, Name: path, Size: int64(len(t[path])), Mode: 0o644})
	}
	return tarOf(test, list, t)
}

// tarOf returns a tar.gz of arbitrary entries.
func tarOf(test testing.TB, list []*tar.Header, body tree) []byte {
	test.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, h := range list {
		err := w.WriteHeader(h)
		if err == nil && h.Typeflag == tar.TypeReg {
			_, err = io.WriteString(w, body[h.Name])
		}
		if err != nil {
			test.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		test.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		test.Fatal(err)
	}
	return b.Bytes()
}

// bundleOf returns a valid bundle.
func bundleOf(t testing.TB, version string) []byte { return siteOf(version).sealed(version).tarGz(t) }

// store writes data to a file.
func store(t testing.TB, name string, data []byte) FromFile {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return FromFile{name}
}

// given returns a source with this content.
func given(t testing.TB, data []byte) FromFile {
	t.Helper()
	return store(t, filepath.Join(t.TempDir(), "site.tar.gz"), data)
}

// steps returns a clock that advances by a second with each call.
func steps() func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func volume(t testing.TB) *Volume {
	t.Helper()
	v, err := Open(t.TempDir(), steps())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// receive receives a bundle that must be valid.
func receive(t testing.TB, v *Volume, data []byte) Record {
	t.Helper()
	out, err := v.Receive(context.Background(), given(t, data), Expect{})
	if err != nil || !out.Activated {
		t.Fatalf("receive: %+v, %v", out, err)
	}
	return out.Record
}

// whole fails the test unless the version's files are exactly those of siteOf.
func whole(t testing.TB, v *Version) {
	t.Helper()
	for path, want := range siteOf(v.Record.Version) {
		f, ok, err := v.Lookup(path)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", path, ok, err)
		}
		in, err := v.Open(path, f, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		if _ = in.Close(); err != nil || string(got) != want {
			t.Fatalf("%s of %s is %.60q, %v", path, v.Name(), got, err)
		}
	}
}

// served returns the version that a server started now would serve; "" if none.
func served(t testing.TB, v *Volume) string {
	t.Helper()
	unlock, err := v.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	r, err := v.Recover(context.Background(), true, Expect{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Version == nil {
		return ""
	}
	defer func() { _ = r.Version.Close() }()
	whole(t, r.Version)
	return r.Version.Record.Version
}
