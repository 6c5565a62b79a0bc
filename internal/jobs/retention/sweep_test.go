package retention_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func siteURL(d string) string { return "https://" + d }

func siteFiles(mark string) map[string]string {
	return map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nmark-" + mark + "\n",
	}
}

func publishNow(t *testing.T, b *worktest.Env, p project.Project) deploy.Deployment {
	t.Helper()
	d := b.QueueDeployment(t, p, deploy.Production, "")
	pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil || d.Status != deploy.Success {
		t.Fatalf("%+v %v", d, err)
	}
	return d
}

// sweepAt runs a round with the clock advanced by later.
func sweepAt(t *testing.T, b *worktest.Env, later time.Duration) {
	t.Helper()
	s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler),
		Now:    func() time.Time { return time.Now().Add(later) }}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestSweepRemovesOldVersionsButKeepsLiveSite(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, siteFiles("one"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	old := publishNow(t, b, p)
	worktest.Rewrite(t, dir, siteFiles("two"))
	live := publishNow(t, b, p)
	all := b.Keys(t, "")

	sweepAt(t, b, time.Hour) // too young to remove
	if now := b.Keys(t, ""); !slices.Equal(now, all) {
		t.Fatalf("young files were removed: %v", now)
	}
	sweepAt(t, b, 48*time.Hour)
	now := b.Keys(t, "")
	if slices.Contains(now, old.ManifestKey) || slices.Contains(now, old.SnapshotKey) ||
		!slices.Contains(now, live.SnapshotKey) {
		t.Errorf("after the sweep: %v", now)
	}
	m, err := publish.LoadManifest(t.Context(), b.Blob, live.ManifestKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range m.Packs {
		if !slices.Contains(now, pack) {
			t.Errorf("%s of the live site was removed", pack)
		}
	}
	if len(now) >= len(all) {
		t.Error("nothing was removed")
	}
}

func TestSweepKeepsExportsOfDeletedProject(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	publishNow(t, b, p)
	var job export.Job
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		job, err = tx.CreateExport(t.Context(),
			export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: "docs.example.com"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	e := &exportjob.Exporter{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Lease: worktest.Lease, Interval: time.Millisecond, Now: b.Now}
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	leftover := "exports/" + job.ID + "/7/site.tar.gz" // from an attempt that died
	if _, err := b.Blob.Put(t.Context(), leftover, strings.NewReader("half")); err != nil {
		t.Fatal(err)
	}
	if err := b.Store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.DeleteProject(t.Context(), p.OrganizationID, p.ID) }); err != nil {
		t.Fatal(err)
	}
	sweepAt(t, b, 48*time.Hour)
	now := b.Keys(t, "")
	if len(now) != 2 || slices.Contains(now, leftover) {
		t.Fatalf("left: %v; want the export's two bundles", now)
	}
}

// J8: a sweep removes partial uploads of killed processes; uploads in progress stay.
func TestSweepRemovesPartialUploads(t *testing.T) {
	b := worktest.New(t)
	dead := filepath.Join(filepath.Dir(b.ScratchDir), "blobs", "~tmp", "dead")
	old := time.Now().Add(-5 * time.Hour)
	if err := errors.Join(os.WriteFile(dead, []byte("half"), 0o600), os.Chtimes(dead, old, old)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		life  time.Duration
		there bool
	}{{0, true}, {6 * time.Hour, true}, {3 * time.Hour, false}} {
		s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
			Partial: step.life, Logger: slog.New(slog.DiscardHandler), Now: b.Now}
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dead); (err == nil) != step.there {
			t.Errorf("after %s: %v", step.life, err)
		}
	}
}

// A missing manifest does not stop the sweep of its project: unused sources are removed; packs stay until the
// manifest is restored or no longer needed.
func TestMissingManifestKeepsOnlyPacks(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, siteFiles("one"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	old := publishNow(t, b, p)
	worktest.Rewrite(t, dir, siteFiles("two"))
	live := publishNow(t, b, p)
	if err := b.Blob.Delete(t.Context(), live.ManifestKey); err != nil {
		t.Fatal(err)
	}
	packs := b.Keys(t, "sites/"+p.ID+"/packs/")
	s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour}, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(48 * time.Hour) }}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := b.Keys(t, "sites/"+p.ID+"/packs/"); !slices.Equal(left, packs) {
		t.Errorf("packs: %q became %q", packs, left)
	}
	if left := b.Keys(t, "snapshots/"+p.ID+"/"); len(left) != 1 || left[0] != live.SnapshotKey ||
		left[0] == old.SnapshotKey {
		t.Errorf("sources: %q", left)
	}
}
