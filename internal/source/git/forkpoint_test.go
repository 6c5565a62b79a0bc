package git

import (
	"fmt"
	"testing"
)

func TestForkPointIsWhereABranchBegan(t *testing.T) {
	s := newSource(t, map[string]string{"docs/a.mdx": "one", "main.go": "1"})
	began := git(t, s.dir, "rev-parse", "main")
	git(t, s.dir, "checkout", "-q", "-b", "change")
	s.commit(map[string]string{"docs/a.mdx": "two"})
	change := git(t, s.dir, "rev-parse", "HEAD")
	git(t, s.dir, "update-ref", "refs/pull/1/head", change)
	git(t, s.dir, "checkout", "-q", "-b", "code", began)
	s.commit(map[string]string{"main.go": "2"})
	git(t, s.dir, "update-ref", "refs/pull/2/head", "HEAD")
	code := git(t, s.dir, "rev-parse", "HEAD")
	git(t, s.dir, "checkout", "-q", "main")
	for i := range 3 {
		s.commit(map[string]string{"docs/b.mdx": fmt.Sprint(i)})
	}
	git(t, s.dir, "checkout", "-q", "--orphan", "apart")
	s.commit(map[string]string{"docs/a.mdx": "other"})
	apart := git(t, s.dir, "rev-parse", "HEAD")
	git(t, s.dir, "update-ref", "refs/pull/3/head", apart)
	git(t, s.dir, "checkout", "-q", "main")
	c := localCache(t)
	for _, one := range []struct {
		ref, head string
		base      string
		want      ForkPoint
	}{
		{"refs/pull/1/head", change, "main", ForkPoint{Commit: began}},
		{"refs/pull/1/head", change, "", ForkPoint{Commit: began}},
		{"refs/pull/1/head", change, "change", ForkPoint{Commit: change, Same: true}},
		{"refs/pull/2/head", code, "main", ForkPoint{Commit: began, Same: true}},
		{"refs/pull/3/head", apart, "main", ForkPoint{}},
	} {
		r := Remote{Local: true, URL: s.dir, Folder: "docs", Branch: one.ref}
		if got, err := c.ForkPoint(t.Context(), r, one.head, one.base); err != nil || got != one.want {
			t.Errorf("%s and %q: %+v, %v; want %+v", one.ref, one.base, got, err, one.want)
		}
	}
	r := Remote{Local: true, URL: s.dir, Folder: "none", Branch: "refs/pull/2/head"}
	if got, err := c.ForkPoint(t.Context(), r, code, "main"); err != nil || got.Same || got.Commit != began {
		t.Errorf("a folder that is not there: %+v, %v", got, err)
	}
	if _, err := c.ForkPoint(t.Context(), r, code, "gone"); err == nil {
		t.Error("a missing target branch has a fork point")
	}
	if _, err := c.ForkPoint(t.Context(), r, "main", "main"); err == nil {
		t.Error("a name was taken for a commit")
	}
}
