package local_test

import (
	"context"
	"os"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// In a cluster whose processes have separate folders, nothing is written to a folder that other processes cannot
// access.
func TestUnsharedFolderIsNotWritten(t *testing.T) {
	b, home := newHome(t)
	home.Ready = func(context.Context) error {
		return fault.New(fault.Unavailable, "repositories_not_shared", "It is elsewhere.")
	}
	b.Source.OwnReady = home.Ready
	for domain, source := range map[string]project.Source{
		"a.example.com": {Path: worktest.Write(t, map[string]string{"index.mdx": "# Folder\n"})},
		"b.example.com": {Repository: project.BuiltIn},
		"c.example.com": {Repository: project.Own},
	} {
		p := b.Project(t, domain, source)
		_, prepared := home.Prepare(t.Context(), p)
		_, found := home.Repo(t.Context(), p)
		seeded := home.Seed(t.Context(), p.ID, fstest.MapFS{"index.mdx": {Data: []byte("# x\n")}})
		_, fetched := b.Source.Fetch(t.Context(), p, "lectern/change", t.TempDir(), nil)
		for what, err := range map[string]error{"prepare": prepared, "find": found, "seed": seeded,
			"fetch a proposal": fetched} {
			if !fault.HasCode(err, "repositories_not_shared") {
				t.Errorf("%s, %s: %v", domain, what, err)
			}
		}
		if source.Repository != project.Own {
			if _, err := b.Source.Fetch(t.Context(), p, "", t.TempDir(), nil); err != nil {
				t.Errorf("%s: its source is missing and was not fetched: %v", domain, err)
			}
		}
	}
	if entries, err := os.ReadDir(home.Dir); err == nil && len(entries) > 0 {
		t.Errorf("written: %v", entries)
	}
}
