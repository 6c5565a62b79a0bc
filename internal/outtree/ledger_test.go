package outtree

import (
	"context"
	"encoding/json"
	"testing"
)

func put(t *testing.T, l *Ledger, path, data string) {
	t.Helper()
	if err := l.Put(context.Background(), File{Path: path, ContentType: ContentType(path), Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
}

func TestTreeHashDependsOnContentNotOnOrder(t *testing.T) {
	a, b, c := NewLedger(Tee()), NewLedger(Tee()), NewLedger(Tee())
	put(t, a, "x.html", "1")
	put(t, a, "y/z.html", "2")
	put(t, b, "y/z.html", "2")
	put(t, b, "x.html", "1")
	put(t, c, "x.html", "1")
	put(t, c, "y/z.html", "3")
	if a.TreeHash() != b.TreeHash() || a.TreeHash() == c.TreeHash() {
		t.Errorf("hashes %s %s %s", a.TreeHash(), b.TreeHash(), c.TreeHash())
	}
	if a.Files() != 2 || a.Bytes() != 2 {
		t.Errorf("%d files, %d bytes", a.Files(), a.Bytes())
	}
}

// Claim B11: a bundle of ours never holds names that an extractor must refuse.
func TestLedgerRefusesCollidingNames(t *testing.T) {
	l := NewLedger(Tee())
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

func TestManifestNamesEachFileWithItsDigest(t *testing.T) {
	l := NewLedger(Tee())
	put(t, l, "b.html", "b")
	put(t, l, "a.html", "a")
	f, err := l.Manifest(Labels{Tool: "t", Version: "v1", Commit: "c"})
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version, TreeHash string
		Files             []struct{ Path, SHA256 string }
	}
	if err := json.Unmarshal(f.Data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != "v1" || m.TreeHash != l.TreeHash() || len(m.Files) != 2 || m.Files[0].Path != "a.html" ||
		m.Files[0].SHA256 != "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" {
		t.Errorf("manifest %s", f.Data)
	}
}
