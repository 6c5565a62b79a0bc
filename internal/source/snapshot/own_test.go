package snapshot_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// The folder with all projects' repositories is refused as a source even if it is outside the data folder.
func TestRepositoriesFolderIsRefusedAsSource(t *testing.T) {
	b := worktest.New(t)
	outer := t.TempDir()
	b.Source.Own, b.Source.Private, b.Source.Local = filepath.Join(outer, "repositories"), t.TempDir(),
		localdir.Anywhere
	inner := filepath.Join(b.Source.Own, "prj_x.git")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	for domain, source := range map[string]project.Source{
		"a.example.com": {Path: b.Source.Own},
		"b.example.com": {Path: outer},
		"c.example.com": {Path: inner},
		"d.example.com": {Repository: "file://" + inner, Branch: "main"},
	} {
		if _, err := b.Source.Fetch(t.Context(), b.Project(t, domain, source), "", t.TempDir(), nil); !fault.HasCode(err,
			"private_source") {
			t.Errorf("%+v: %v", source, err)
		}
	}
}
