package bundlestore

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// FuzzTable checks that whatever a table file contains, a lookup terminates and, once the digest was checked, returns
// no negative sizes.
func FuzzTable(f *testing.F) {
	f.Add(tableOf(map[pathKey]*entry{keyOf("index.html"): {size: 3, packed: 2}}), "index.html")
	f.Add([]byte(tableMagic), "x")
	f.Add(append([]byte(tableMagic), bytes.Repeat([]byte{0xff}, 4*slotSize)...), "a/b")
	f.Fuzz(func(t *testing.T, raw []byte, path string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, tableName), raw, 0o644); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		if _, err := openTable(root, tableName, output.Digest{1}); err == nil {
			t.Fatal("a table with another digest was accepted")
		}
		table, err := openTable(root, tableName, sha256.Sum256(raw))
		if err != nil {
			return
		}
		defer func() { _ = table.file.Close() }()
		first, ok, err := table.find(path)
		again, okAgain, errAgain := table.find(path)
		if first != again || ok != okAgain || (err == nil) != (errAgain == nil) {
			t.Fatalf("%+v %v %v, then %+v %v %v", first, ok, err, again, okAgain, errAgain)
		}
		if ok && (first.Size < 0 || first.Packed < 0) {
			t.Fatalf("negative sizes: %+v", first)
		}
	})
}

// FuzzPointer checks that whatever the pointer file contains, reading it returns a valid version name or an error.
func FuzzPointer(f *testing.F) {
	f.Add([]byte(`{"digest":"` + strings.Repeat("0", 64) + `","held":["` + strings.Repeat("a", 64) + `"]}`))
	f.Add([]byte(`{"digest":"../../etc"}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := Open(t.TempDir(), steps())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(v.path(currentName), raw, 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := v.Current()
		if err == nil && !digestForm.MatchString(p.Digest) || err != nil && p.Digest != "" {
			t.Fatalf("%+v, %v", p, err)
		}
		if r, err := v.Recover(t.Context(), false, Expect{}); err != nil || r.Version != nil {
			t.Fatalf("an empty folder with a pointer: %+v, %v", r, err)
		}
	})
}

// FuzzRecord checks that whatever a version's record and the receipts file contain, the version is either opened as
// it was verified or not opened at all.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"digest":"`+strings.Repeat("0", 64)+`","version":"v1","table":"`+strings.Repeat("0", 64)+`"}`),
		[]byte(`{"source":"x","tag":"y","digest":"z"}`))
	f.Add([]byte(`{}`), []byte(`[]`))
	good := bundleOf(f, "v1")
	f.Fuzz(func(t *testing.T, record, source []byte) {
		v, err := Open(t.TempDir(), steps())
		if err != nil {
			t.Fatal(err)
		}
		src := given(t, good)
		out, err := v.Receive(t.Context(), src, Expect{})
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{v.path(versionsName, out.Record.Digest, recordName): record,
			v.path(sourceName): source} {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := v.Find(out.Record.Digest); err == nil && r.Digest != out.Record.Digest {
			t.Fatalf("a record of another version: %+v", r)
		}
		if _, err := v.List(); err != nil {
			t.Fatal(err)
		}
		if opened, err := v.whole(t.Context(), out.Record.Digest, true); err == nil {
			whole(t, opened)
			_ = opened.Close()
		}
		if again, err := v.Receive(t.Context(), src, Expect{}); err != nil && !fault.HasCode(err, CodeRefused) ||
			err == nil && again.Record.Digest != out.Record.Digest {
			t.Fatalf("received again: %+v, %v", again, err)
		}
	})
}
