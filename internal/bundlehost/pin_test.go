package bundlehost

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/bundlestore"
	"github.com/lectern-docs/lectern/internal/fault"
)

// H10, B14: a version that is pinned and kept, but not the current one, is served when it cannot be fetched any more.
func TestAPinnedVersionThatIsKeptIsServedAfterItsLinkExpired(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir})
	r.until(t, "/", "home of v1")
	o.give(bundleOf(t, "v2"))
	r.again <- struct{}{}
	r.until(t, "/", "home of v2")
	r.stop()
	o.give(nil)
	r = start(t, o.URL, setup{dir: dir, version: "v1"})
	r.ready(t)
	r.until(t, "/", "home of v1")
	r.said(t, "the pinned version is kept and served")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v2"})
	r.ready(t)
	r.until(t, "/", "home of v2")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v3"}) // kept by nobody: what is there stays, and the log tells
	r.ready(t)
	r.until(t, "/", "home of v2")
	r.said(t, "the last verified one is served")
}

// A server that looks again and again waits for a file that a scheduled export has yet to write; one that does not says what is wrong and ends.
func TestAFileThatIsYetToComeIsWaitedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.tar.gz")
	r := start(t, file, setup{dir: t.TempDir(), poll: 10 * time.Millisecond})
	r.said(t, "there is none to serve; trying again")
	if err := os.WriteFile(file+".part", bundleOf(t, "v1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".part", file); err != nil {
		t.Fatal(err)
	}
	r.until(t, "/", "home of v1")
	r.stop()
	r = start(t, filepath.Join(t.TempDir(), "none.tar.gz"), setup{dir: t.TempDir()})
	if err := <-r.ended; !fault.HasCode(err, "source_missing") {
		t.Errorf("ended with %v", err)
	}
	r.ended <- nil
}

// A version that was rolled back from stays back, although it is pinned: somebody said so after it was pinned.
func TestAPinDoesNotUndoARollback(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir})
	r.until(t, "/", "home of v1")
	o.give(bundleOf(t, "v2"))
	r.again <- struct{}{}
	r.until(t, "/", "home of v2")
	r.stop()
	v, err := bundlestore.Existing(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Rollback(""); err != nil {
		t.Fatal(err)
	}
	o.give(nil)
	r = start(t, o.URL, setup{dir: dir, version: "v2"})
	r.ready(t)
	r.until(t, "/", "home of v1")
}
