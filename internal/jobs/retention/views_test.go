package retention_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func TestSweepKeepsViewsOfLiveSite(t *testing.T) {
	b := worktest.New(t)
	files := siteFiles("one")
	files["alpha.mdx"] = "---\ntitle: Alpha\ngroups: [a]\n---\nFor some.\n"
	dir := worktest.Write(t, files)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	if err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
		return tx.AskView(t.Context(), p.ID, reader.New("a"))
	}); err != nil {
		t.Fatal(err)
	}
	old := publishNow(t, b, p)
	worktest.Rewrite(t, dir, siteFiles("two"))
	live := publishNow(t, b, p)
	sweepAt(t, b, 48*time.Hour)
	m, err := publish.LoadManifest(t.Context(), b.Blob, live.ManifestKey)
	if err != nil || len(m.Views) != 1 {
		t.Fatalf("%+v, %v", m.Views, err)
	}
	needs, err := publish.Needs(t.Context(), b.Blob, m)
	now := b.Keys(t, "")
	for _, key := range needs {
		if err != nil || !slices.Contains(now, key) {
			t.Errorf("%s was removed (%v)", key, err)
		}
	}
	for _, key := range now {
		if len(key) > len(old.ManifestKey)-5 && key[:len(old.ManifestKey)-5] == old.ManifestKey[:len(old.ManifestKey)-5] {
			t.Errorf("%s of the earlier version was not removed", key)
		}
	}
}
