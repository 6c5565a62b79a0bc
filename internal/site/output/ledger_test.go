package output

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func put(t *testing.T, l *Ledger, path, data string) {
	t.Helper()
	if err := l.Put(context.Background(),
		File{Path: path, ContentType: ContentType(path), Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
}

func hashOf(t *testing.T, l *Ledger) string {
	t.Helper()
	sum, err := l.TreeHash()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestTreeHashDependsOnContentNotOnOrder(t *testing.T) {
	a, b, c := NewLedger(Tee(), ""), NewLedger(Tee(), ""), NewLedger(Tee(), "")
	put(t, a, "x.html", "1")
	put(t, a, "y/z.html", "2")
	put(t, b, "y/z.html", "2")
	put(t, b, "x.html", "1")
	put(t, c, "x.html", "1")
	put(t, c, "y/z.html", "3")
	if hashOf(t, a) != hashOf(t, b) || hashOf(t, a) == hashOf(t, c) {
		t.Errorf("hashes %s %s %s", hashOf(t, a), hashOf(t, b), hashOf(t, c))
	}
	if a.Files() != 2 || a.Bytes() != 2 {
		t.Errorf("%d files, %d bytes", a.Files(), a.Bytes())
	}
}

// A large tree is stored in runs on disk. Its list is the same as that of a tree in memory.
func TestLargeTreeIsListedInOrder(t *testing.T) {
	const files = 60_000
	dir, kept := t.TempDir(), memory{}
	l := NewLedger(kept, dir)
	want := Manifest{}
	for i := range files {
		name := fmt.Sprintf("guides/section-%d/page-%d.html", i*7919%files/100, i)
		put(t, l, name, name)
		want.Files = append(want.Files, ManifestFile{Path: name, SHA256: sha256.Sum256([]byte(name))})
	}
	slices.SortFunc(want.Files, func(a, b ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	if got := hashOf(t, l); len(l.records.runs) < 3 || got != want.Hash() {
		t.Errorf("%d runs, hash %s instead of %s", len(l.records.runs), got, want.Hash())
	}
	put(t, l, "a.html", "late")
	if err := l.WriteManifest(t.Context(), Labels{}); err != nil {
		t.Fatal(err)
	}
	m, err := ParseManifest(strings.NewReader(kept[ManifestPath]))
	if err != nil || len(m.Files) != files+1 || m.Hash() != m.TreeHash || m.Files[0].Path != "a.html" ||
		m.Files[1].Path != want.Files[0].Path {
		t.Errorf("%v, %d files", err, len(m.Files))
	}
	l.Close()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// B11: our bundles never contain names that programs must refuse to extract.
func TestLedgerRefusesCollidingNames(t *testing.T) {
	l := NewLedger(Tee(), "")
	put(t, l, "Guide/Start.html", "x")
	for _, p := range []string{"Guide/Start.html", "guide/start.html", "guide", "GUIDE/start.HTML/x"} {
		if l.Free(p) || l.Put(context.Background(), File{Path: p}) == nil {
			t.Errorf("accepted %q", p)
		}
	}
	if !l.Has("guide/START.html") || l.Has("guide") || !l.Free("guide/other.html") {
		t.Error("Has or Free is wrong")
	}
}
