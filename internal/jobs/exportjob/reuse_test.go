package exportjob_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func publishNow(t *testing.T, b *worktest.Env, p project.Project) deploy.Deployment {
	t.Helper()
	d := b.QueueDeployment(t, p, deploy.Production, "")
	pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	return d
}

// start starts an export as the API does: for the deployment that is currently live.
func start(t *testing.T, b *worktest.Env, p project.Project) (j export.Job, joined bool) {
	t.Helper()
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
		now, err := tx.FindProject(t.Context(), p.OrganizationID, p.ID)
		if err != nil {
			return err
		}
		live, err := tx.FindDeploymentByID(t.Context(), now.LiveID)
		if err != nil {
			return err
		}
		want := export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0],
			DeploymentID: now.LiveID, Version: export.Label(live.Commit, nil, nil)}.Identify("m")
		j, joined, err = tx.QueueExport(t.Context(), want, export.Limits{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return j, joined
}

// An export contains what was live when it was requested, whatever was published while it waited; a later one
// contains what is live by then.
func TestExportUsesTheSiteLiveAtItsStart(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	publishNow(t, b, p)
	first, _ := start(t, b, p)
	hold := b.Take(t)
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Changed\n---\nNew words.\n"})
	publishNow(t, b, p)
	second, joined := start(t, b, p)
	if joined || second.ID == first.ID {
		t.Fatal("joined an export of an earlier deployment")
	}
	e := exporter(b)
	e.Making = "m"
	if err := e.Run(t.Context(), hold); err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{first.ID: false, second.ID: true} {
		job := find(t, b, id)
		if got := bytes.Contains(tarFile(t, read(t, b, job, export.TarGz), "index.html"),
			[]byte("New words.")); got != want {
			t.Errorf("%s has the new words: %v", id, got)
		}
	}
}

// B4: a start after completion returns the same bundles, and downloading them does not need the source.
func TestCompletedExportIsReused(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	publishNow(t, b, p)
	first, _ := start(t, b, p)
	e := exporter(b)
	e.Making = "m"
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	again, joined := start(t, b, p)
	if joined || again.ID == first.ID {
		t.Fatalf("%+v", again)
	}
	one, two := find(t, b, first.ID), find(t, b, again.ID)
	if two.Status != export.Completed || two.ReusedFrom != first.ID || two.Commit != one.Commit || two.PageCount != 2 {
		t.Fatalf("%+v", two)
	}
	for _, f := range []export.Format{export.TarGz, export.Zip} {
		if !bytes.Equal(read(t, b, one, f), read(t, b, two, f)) {
			t.Errorf("%s differs", f)
		}
	}
}

// Files made by another version of the program are not reused.
func TestFilesOfAnotherProgramVersionAreNotReused(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	publishNow(t, b, p)
	start(t, b, p)
	e := exporter(b)
	e.Making = "an older one"
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	if again, _ := start(t, b, p); find(t, b, again.ID).Status != export.Queued {
		t.Error("the export reused files made by another version")
	}
}
