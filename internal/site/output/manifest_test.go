package output

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// memory is a Sink that stores the content of files by path.
type memory map[string]string

func (s memory) Put(_ context.Context, f File) error {
	data, err := f.Bytes()
	s[f.Path] = string(data)
	return err
}

// listed returns a small tree's manifest and signature.
func listed(t testing.TB, labels Labels, files map[string]string) (manifest, sig string) {
	t.Helper()
	kept := memory{}
	l := NewLedger(kept, "")
	for name, data := range files {
		if err := l.Put(context.Background(),
			File{Path: name, ContentType: ContentType(name), Data: []byte(data)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.WriteManifest(context.Background(), labels); err != nil {
		t.Fatal(err)
	}
	return kept[ManifestPath], kept[SignaturePath]
}

func TestManifestNamesEachFileWithItsDigest(t *testing.T) {
	labels := Labels{Tool: "t", Version: `v"1<`, Commit: "c", Pages: 2,
		Features: []string{"search", "islands", "search"}}
	text, sig := listed(t, labels, map[string]string{"b.html": "b", "a/é & ü.html": "a", "a.html": ""})
	var m Manifest
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if m.Format != 1 || m.Tool != "t" || m.Version != `v"1<` || m.Commit != "c" || m.Pages != 2 ||
		fmt.Sprint(m.Features) != "[islands search]" || sig != "" {
		t.Errorf("%+v %q", m, sig)
	}
	if len(m.Files) != 3 || m.Files[1].Path != "a/é & ü.html" || m.Files[1].Size != 1 ||
		m.Files[1].Type != "text/html; charset=utf-8" ||
		m.Files[1].SHA256.String() != "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" ||
		m.Hash() != m.TreeHash {
		t.Errorf("%+v", m)
	}
	read, err := ParseManifest(strings.NewReader(text))
	if err != nil || fmt.Sprint(read) != fmt.Sprint(m) {
		t.Errorf("read as %+v, %v", read, err)
	}
	empty, _ := listed(t, Labels{}, nil)
	if m, err := ParseManifest(strings.NewReader(empty)); err != nil || len(m.Files) != 0 {
		t.Errorf("an empty tree: %+v %v in %s", m, err, empty)
	}
}

// B7: with the public key, a reader can verify the list and therefore every file.
func TestSignatureIsValidOnlyForItsManifest(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	text, sig := listed(t, Labels{Signer: private}, map[string]string{"a.html": "a"})
	if err := VerifySignature([]byte(text), []byte(sig), public); err != nil {
		t.Error(err)
	}
	if strings.Contains(text, SignaturePath) || strings.Contains(text, ManifestPath) {
		t.Errorf("the list holds itself: %s", text)
	}
	for i := range text {
		changed := []byte(text)
		changed[i] ^= 1
		if VerifySignature(changed, []byte(sig), public) == nil {
			t.Fatalf("accepted with byte %d changed", i)
		}
	}
	for name, bad := range map[string]string{
		"empty": "", "short": sig[4:], "longer": sig + "A", "without an end": strings.TrimSpace(sig),
		"on two lines": sig[:40] + "\n" + sig[40:], "not base64": "?" + sig[1:],
	} {
		if VerifySignature([]byte(text), []byte(bad), public) == nil {
			t.Errorf("accepted a signature that is %s", name)
		}
	}
	other, _, _ := ed25519.GenerateKey(rand.NewChaCha8([32]byte{2}))
	if VerifySignature([]byte(text), []byte(sig), other) == nil ||
		VerifySignature([]byte(text), []byte(sig), public[:31]) == nil {
		t.Error("accepted with another key")
	}
}

func TestInvalidManifestsAreRefused(t *testing.T) {
	good, _ := listed(t, Labels{Features: []string{"a", "b"}}, map[string]string{"a/x.html": "1", "b.html": "2"})
	entry := good[strings.Index(good, `{"path": "b.html"`):strings.LastIndex(good, "\n ]")]
	with := func(path string) string { return strings.ReplaceAll(good, `"b.html"`, path) }
	for name, text := range map[string]string{
		"nothing": "", "a list": "[]", "cut off": good[:len(good)-10], "two": good + good,
		"another format":        strings.Replace(good, `"format": 1`, `"format": 2`, 1),
		"no format":             strings.Replace(good, `"format": 1,`, "", 1),
		"a key in capitals":     strings.Replace(good, `"files"`, `"Files"`, 1),
		"a key twice":           strings.Replace(good, `"tool": ""`, `"tool": "", "tool": ""`, 1),
		"a changed tree":        strings.Replace(good, `"treeHash": "`, `"treeHash": "0`, 1),
		"a false digest":        strings.Replace(good, `"sha256": "`, `"sha256": "A`, 1),
		"another digest":        strings.Replace(good, "6b86b273", "6b86b274", 1),
		"capitals in a digest":  strings.Replace(good, "6b86b273", "6B86b273", 1),
		"a negative size":       strings.Replace(good, `"size": 1`, `"size": -1`, 1),
		"a fraction":            strings.Replace(good, `"size": 1`, `"size": 1.5`, 1),
		"no size":               strings.Replace(good, `"size": 1,`, "", 1),
		"features out of order": strings.Replace(good, "\"a\",", "\"c\",", 1),
		"a path that leaves":    with(`"../b"`), "an absolute path": with(`"/b"`), "out of order": with(`"a/b"`),
		"the same path":        with(`"a/x.html"`),
		"a path in other case": with(`"a/X.html"`), "a folder in the place of a file": with(`"a/x.html/y"`),
		"a file in the place of a folder": with(`"A"`),
		"itself":                          with(`"manifest.json"`), "its signature": with(`"manifest.sig"`),
		"a file twice": strings.Replace(good, entry, entry+",\n"+entry, 1),
	} {
		if m, err := ParseManifest(strings.NewReader(text)); err == nil {
			t.Errorf("accepted %s: %+v", name, m)
		}
	}
	more := strings.Replace(good, `"format": 1`, `"format": 1, "later": {"a": [1]}`, 1)
	if _, err := ParseManifest(strings.NewReader(more)); err != nil {
		t.Errorf("refused a key of later programs: %v", err)
	}
}

func FuzzParseManifest(f *testing.F) {
	good, _ := listed(f, Labels{Tool: "t", Pages: 1, Features: []string{"search"}},
		map[string]string{"a/x.html": "1", "b é.html": "2"})
	f.Add([]byte(good))
	f.Add([]byte(
		`{"format": 1, "treeHash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "files": []}`))
	f.Add([]byte(`{"format": 1, "files": [{"path": "a", "size": 1e3}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(bytes.NewReader(data))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for i, file := range m.Files {
			low := strings.ToLower(file.Path)
			if !ValidPath(file.Path) || file.Size < 0 || seen[low] || i > 0 && m.Files[i-1].Path >= file.Path {
				t.Fatalf("accepted %+v", file)
			}
			seen[low] = true
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if m2, err := ParseManifest(bytes.NewReader(again)); err != nil || m2.TreeHash != m.TreeHash {
			t.Fatalf("the parsed manifest is not accepted when written again: %v", err)
		}
	})
}

func largeLedger(b testing.TB, files int) *Ledger {
	l := NewLedger(Tee(), "")
	p := &Packed{Size: 12345}
	for i := range files {
		p.SHA256[i%32]++
		name := fmt.Sprintf("guides/section-%d/some-page-%d.html", i/100, i)
		if err := l.Put(context.Background(),
			File{Path: name, ContentType: "text/html; charset=utf-8", Packed: p}); err != nil {
			b.Fatal(err)
		}
	}
	return l
}

// BenchmarkManifest writes 250,000 entries, as many as for a site of 100,000 pages.
func BenchmarkManifest(b *testing.B) {
	l := largeLedger(b, 250_000)
	b.ReportAllocs()
	for b.Loop() {
		p := NewPacker()
		if err := l.list(p, Labels{}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(p.Close().Size)
	}
}

func BenchmarkParseManifest(b *testing.B) {
	var text bytes.Buffer
	if err := largeLedger(b, 250_000).list(&text, Labels{}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseManifest(bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLedger reports the memory that a ledger uses per file, including its path, as B/file.
func BenchmarkLedger(b *testing.B) {
	const files = 250_000
	var held uint64
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		l := largeLedger(b, files)
		runtime.GC()
		runtime.ReadMemStats(&after)
		held = after.HeapAlloc - before.HeapAlloc
		runtime.KeepAlive(l)
	}
	b.ReportMetric(float64(held)/files, "B/file")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/files, "ns/file")
}
