package git

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// D3: a copy of a repository contains every commit that its references point to, even if commits are pushed during the
// copy.
func TestCopyIsCompleteDuringConcurrentPushes(t *testing.T) {
	c, r := ownRepo(t)
	push := func(n int) {
		if _, err := r.Import(t.Context(), Import{Files: filesOf(map[string]string{"page.mdx": fmt.Sprint(n)}),
			Message: "m", When: time.Unix(int64(n), 0)}); err != nil {
			t.Error(err)
		}
	}
	push(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			default:
				push(n)
			}
		}
	}()
	for n := range 5 {
		dst := filepath.Join(t.TempDir(), "copy.git")
		if err := r.CopyTo(t.Context(), dst); err != nil {
			t.Fatal(err)
		}
		git(t, dst, "fsck", "--full", "--strict", "--no-dangling")
		git(t, dst, "rev-parse", "--verify", "refs/heads/main")
		if _, err := os.Stat(filepath.Join(dst, "packed-refs")); err != nil {
			t.Errorf("copy %d: %v", n, err)
		}
	}
	close(stop)
	<-stopped
	empty := c.Repo(filepath.Join(filepath.Dir(r.path), "prj_b.git"))
	if err := empty.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := empty.CopyTo(t.Context(), filepath.Join(t.TempDir(), "empty.git")); err != nil {
		t.Errorf("copy an empty repository: %v", err)
	}
}
