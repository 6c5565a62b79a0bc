package bundlestore

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A version is not pruned while it is open.
func TestPruneKeepsOpenVersions(t *testing.T) {
	v := volume(t)
	first := receive(t, v, bundleOf(t, "v1"))
	open, err := v.OpenVersion(first.Digest)
	if err != nil {
		t.Fatal(err)
	}
	last := receive(t, v, bundleOf(t, "v2"))
	if gone, err := v.Prune(1, last.Digest); err != nil || len(gone) != 0 {
		t.Fatalf("removed %v, %v", gone, err)
	}
	whole(t, open)
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	if gone, err := v.Prune(1, last.Digest); err != nil || len(gone) != 1 || gone[0].Digest != first.Digest {
		t.Fatalf("removed %v, %v", gone, err)
	}
}

// A damaged version is stored again while a process still serves from the damaged copy. That process continues, and
// the copy is removed once it is closed.
func TestDamagedVersionInUseCanBeStoredAgain(t *testing.T) {
	v, data := volume(t), bundleOf(t, "v1")
	r := receive(t, v, data)
	open, err := v.OpenVersion(r.Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(v.path(versionsName, r.Digest, filesName, "picture.png")); err != nil {
		t.Fatal(err)
	}
	found, err := v.Recover(context.Background(), false, Expect{})
	if err != nil || found.Version != nil || len(found.Damaged) != 1 {
		t.Fatalf("recover: %+v, %v", found, err)
	}
	if _, err := v.Receive(context.Background(), given(t, data), Expect{}); err != nil {
		t.Fatal(err)
	}
	if got := served(t, v); got != "v1" {
		t.Errorf("served %q", got)
	}
	f, ok, err := open.Lookup("a/b.html")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	in, err := open.Open("a/b.html", f, false)
	if err != nil {
		t.Fatalf("the process that has the damaged version open: %v", err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	unlock, err := v.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if left, err := filepath.Glob(v.path(incomingName, "*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
