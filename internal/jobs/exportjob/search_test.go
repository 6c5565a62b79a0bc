package exportjob_test

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// D9: a bundle has search if the deployment has it, and otherwise no trace of it.
func TestBundlesIncludeSearchIfTheDeploymentDoes(t *testing.T) {
	for _, on := range []bool{true, false} {
		b := worktest.New(t)
		p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
		j := queueExport(t, b, p)
		e := exporter(b)
		e.Offers = func(string) capability.Offers { return capability.Offers{Search: on} }
		if err := e.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		names := tarNames(t, read(t, b, find(t, b, j.ID), export.TarGz))
		if got := slices.Contains(names, searchindex.Folder+"/index.js"); got != on {
			t.Errorf("search %v: index in the bundle %v: %v", on, got, names)
		}
	}
}
