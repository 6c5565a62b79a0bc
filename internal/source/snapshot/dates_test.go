package snapshot_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A source cannot set its pages' dates with its own file, and the dates from Git are stored and restored.
func TestSourceKeepsDatesFromGit(t *testing.T) {
	b := worktest.New(t)
	own := map[string]string{".lectern/dates.json": `{"a.mdx": 1}`, "a.mdx": "a"}
	if src := fetch(t, b, folderOf(t, own), nil); snapshot.Modified(src.FS) != nil {
		t.Error("the source's own dates were used")
	}
	dir := worktest.Write(t, own)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "Begin"}} {
		testgit.Run(t, dir, args...)
	}
	p := project.Project{ID: "p", Source: project.Source{Repository: "file://" + dir, Branch: "main"}}
	src := fetch(t, b, p, nil)
	key := snapshot.Key("p", "d-1")
	if err := b.Source.Save(t.Context(), key, src, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*snapshot.Source{src, open(t, b, key)} {
		f := snapshot.Modified(s.FS)
		if f == nil || f("a.mdx").Before(time.Unix(100, 0)) || !f("b.mdx").IsZero() {
			t.Error("the dates from Git were lost")
		}
	}
}
