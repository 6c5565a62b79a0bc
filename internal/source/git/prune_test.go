package git

import (
	"testing"
	"time"
)

func TestUnusedMirrorsAreRemovedAndFetchedAgain(t *testing.T) {
	c, src := localCache(t), newSource(t, map[string]string{"index.mdx": "one"})
	remote := Remote{Local: true, URL: "file://" + src.dir}
	snapshot(t, c, remote)
	prune := func(before time.Time, want int) {
		t.Helper()
		if n, err := c.Prune(before); err != nil || n != want {
			t.Fatalf("removed %d, want %d: %v", n, want, err)
		}
	}
	prune(time.Now().Add(-time.Hour), 0) // used since then
	m, err := c.lock(t.Context(), remote.URL)
	if err != nil {
		t.Fatal(err)
	}
	prune(time.Now().Add(time.Hour), 0) // in use
	m.unlock()
	prune(time.Now().Add(time.Hour), 1)
	prune(time.Now().Add(time.Hour), 0) // nothing is left
	src.commit(map[string]string{"index.mdx": "two"})
	if _, files := snapshot(t, c, remote); files["index.mdx"] != "two" {
		t.Fatalf("after the mirror was removed: %v", files)
	}
}
