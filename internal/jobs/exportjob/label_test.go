package exportjob_test

import (
	"encoding/json"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// H10: if nothing was published, the version is known once the source is fetched; job, commit and manifest agree. If
// a later attempt finds different content, the export has the version of the new content.
func TestUnpublishedExportIsVersionedByContent(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	queue := func() (j export.Job) {
		err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
			j, err = tx.CreateExport(t.Context(),
				export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0]})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	first, again := queue(), queue()
	for range 2 {
		if err := exporter(b).Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
	}
	versions := map[string]bool{}
	for _, j := range []export.Job{find(t, b, first.ID), find(t, b, again.ID)} {
		var m output.Manifest
		if err := json.Unmarshal(tarFile(t, read(t, b, j, export.TarGz), output.ManifestPath), &m); err != nil {
			t.Fatal(err)
		}
		if j.Version == "" || j.Version != export.Label(j.Commit, nil, nil) || m.Version != j.Version ||
			m.Commit != j.Commit {
			t.Errorf("the job has version %q of commit %q, its manifest %q of %q", j.Version, j.Commit, m.Version, m.Commit)
		}
		versions[j.Version] = true
	}
	if len(versions) != 1 {
		t.Errorf("the same content has the versions %v", versions)
	}
	retried := queue()
	hold := b.Take(t)
	e := exporter(b)
	e.Limits.MaxPages = 1
	if err := e.Run(t.Context(), hold); err == nil {
		t.Fatal("the first attempt should fail")
	}
	before := find(t, b, retried.ID).Version
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Changed\n---\nNew words.\n"})
	if err := exporter(b).Run(t.Context(), hold); err != nil {
		t.Fatal(err)
	}
	if after := find(t, b, retried.ID); !versions[before] || versions[after.Version] ||
		after.Version != export.Label(after.Commit, nil, nil) {
		t.Errorf("the attempts have the versions %q and %q", before, after.Version)
	}
}
