package bundlehost

import (
	"testing"
	"time"
)

// B13: pods share a volume, and one of them is restarted with an old link that still works. Like the other pods, it
// serves the newer bundle on the volume. The operator can go back to the old bundle with a new link or a pin.
func TestRestartWithOldLinkServesNewerBundle(t *testing.T) {
	one, two, dir := newOrigin(t, bundleOf(t, "v1")), newOrigin(t, bundleOf(t, "v2")), t.TempDir()
	old := start(t, one.URL+"/?signature=a", setup{dir: dir, shared: true, poll: 20 * time.Millisecond})
	old.until(t, "/", "home of v1")
	next := start(t, two.URL+"/?signature=b", setup{dir: dir, shared: true})
	next.until(t, "/", "home of v2")
	old.until(t, "/", "home of v2")
	old.stop()
	old = start(t, one.URL+"/?signature=a", setup{dir: dir, shared: true, poll: 20 * time.Millisecond})
	old.ready(t)
	old.said(t, "bundle that was already replaced")
	for asked := one.asked.Load(); one.asked.Load() < asked+5; {
		old.until(t, "/", "home of v2")
		next.until(t, "/", "home of v2")
	}
	if full := one.given.Load(); full != 1 {
		t.Errorf("the old bundle was downloaded %d times", full)
	}
	old.stop()
	back := start(t, one.URL+"/?signature=c", setup{dir: dir, shared: true})
	back.until(t, "/", "home of v1")
	next.until(t, "/", "home of v1")
	back.stop()
	next.stop()
	next = start(t, two.URL+"/?signature=b", setup{dir: dir, shared: true, version: "v2"})
	next.until(t, "/", "home of v2")
}
