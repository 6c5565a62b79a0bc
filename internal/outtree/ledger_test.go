package outtree

import (
	"context"
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
