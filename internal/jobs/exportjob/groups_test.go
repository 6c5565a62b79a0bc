package exportjob_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// C7: a bundle contains what its reader groups may see, and its manifest lists the groups.
func TestBundleContainsOnlyPagesForItsGroups(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index", "alpha"]}`, "index.mdx": "---\ntitle: Home\n---\nHello.\n",
		"alpha.mdx": "---\ntitle: canary\ngroups: [a]\n---\ncanary\n",
	})})
	publishNow(t, b, p)
	for _, groups := range [][]string{nil, {"a"}, {"b"}} {
		var job export.Job
		if err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
			job, err = tx.CreateExport(t.Context(), export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID,
				Domain: p.Domains[0], Groups: groups})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := exporter(b).Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		job = find(t, b, job.ID)
		data := read(t, b, job, export.TarGz)
		m, err := output.ParseManifest(bytes.NewReader(tarFile(t, data, output.ManifestPath)))
		if err != nil || strings.Join(m.Groups, " ") != strings.Join(groups, " ") {
			t.Errorf("%v: the manifest names %v, %v", groups, m.Groups, err)
		}
		sees := len(groups) > 0 && groups[0] == "a"
		if got := bytes.Contains(tarFile(t, data, "llms.txt"), []byte("canary")); got != sees {
			t.Errorf("%v: the page for group a is listed: %v", groups, got)
		}
		if job.Version != export.Label(job.Commit, nil, groups) {
			t.Errorf("%v: version %s", groups, job.Version)
		}
	}
}
