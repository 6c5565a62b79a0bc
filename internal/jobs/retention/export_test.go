package retention_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// exportWith runs an export within limits; equal exports reuse each other's bundles.
func exportWith(t *testing.T, b *worktest.Env, p project.Project, label string, l export.Limits) (export.Job, error) {
	t.Helper()
	var j export.Job
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
		now, err := tx.FindProject(t.Context(), p.OrganizationID, p.ID)
		if err != nil {
			return err
		}
		want := export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0], Version: label,
			DeploymentID: now.LiveID}.Identify("m")
		j, _, err = tx.QueueExport(t.Context(), want, l)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if j.ReusedFrom == "" {
		e := &exportjob.Exporter{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
			Lease: worktest.Lease, Interval: time.Millisecond, Now: b.Now, Making: "m", Limits: l}
		hold := b.Take(t)
		if err = e.Run(t.Context(), hold); err != nil {
			if failed := e.Fail(t.Context(), hold, task.Failure{Sentence: "No room."}); failed != nil {
				t.Fatal(failed)
			}
		}
	}
	j, found := b.Store.FindExportByID(t.Context(), j.ID)
	if found != nil {
		t.Fatal(found)
	}
	return j, err
}

func sweepExports(t *testing.T, b *worktest.Env, l export.Limits) {
	t.Helper()
	s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Exports: l, Logger: slog.New(slog.DiscardHandler), Now: b.Now}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func stored(t *testing.T, b *worktest.Env, j export.Job) bool {
	t.Helper()
	return slices.Contains(b.Keys(t, "exports/"), j.Bundles[0].Key)
}

// Bundles offered by two exports stay until both have expired, and are then removed however recent they are.
func TestSharedBundlesAreKeptUntilLastExportExpires(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	publishNow(t, b, p)
	first, _ := exportWith(t, b, p, "v1", export.Limits{})
	b.Advance(2 * time.Hour)
	second, _ := exportWith(t, b, p, "v1", export.Limits{})
	if second.ReusedFrom != first.ID {
		t.Fatalf("%+v", second)
	}
	sweepExports(t, b, export.Limits{KeepFor: time.Hour})
	if got, err := b.Store.FindExportByID(t.Context(), first.ID); err != nil || got.ExpiredAt == nil ||
		!stored(t, b, second) {
		t.Fatalf("%+v %v", got, err)
	}
	b.Advance(2 * time.Hour)
	sweepExports(t, b, export.Limits{KeepFor: time.Hour})
	if left := b.Keys(t, "exports/"); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// When the quota is exceeded, the oldest bundles are removed, except those with a valid link; an export that does not
// fit fails and leaves nothing behind.
func TestQuotaRemovesOldestBundles(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	publishNow(t, b, p)
	var list []export.Job
	var l export.Limits
	for i := range 6 {
		j, err := exportWith(t, b, p, fmt.Sprint(i), l)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, j)
		if i == 0 { // room for five
			size := j.Bundles[0].Size + j.Bundles[1].Size
			l.MaxStored = 5*size + size/2
			err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.NoteExportLink(t.Context(), j.OrganizationID, j.ID, b.Now().Add(time.Hour))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	sweepExports(t, b, l)
	for i, j := range list {
		if want := i != 1; stored(t, b, j) != want { // export 0 has a link
			t.Errorf("bundles of export %d stored: %v", i, !want)
		}
	}
	l.MaxStored = 1
	if j, err := exportWith(t, b, p, "more", l); err == nil || j.ErrorCode != "export_quota" {
		t.Errorf("%+v %v", j, err)
	}
	if n := len(b.Keys(t, "exports/")); n != 10 {
		t.Errorf("%d blobs", n)
	}
}

// Leftovers from attempts of an ended job are removed at once; blobs stored by a running job stay.
func TestLeftoversOfEndedJobsAreRemovedAtOnce(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	publishNow(t, b, p)
	done, _ := exportWith(t, b, p, "v1", export.Limits{})
	var waiting export.Job
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		waiting, err = tx.CreateExport(t.Context(),
			export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: "docs.example.com"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{"exports/" + done.ID + "/7/site.zip": false, "exports/" + waiting.ID + "/1/site.zip": true,
		"exports/se_unknown/1/site.zip": true}
	for key := range left {
		if _, err := b.Blob.Put(t.Context(), key, strings.NewReader("half")); err != nil {
			t.Fatal(err)
		}
	}
	sweepExports(t, b, export.Limits{})
	now := b.Keys(t, "exports/")
	for key, stays := range left {
		if slices.Contains(now, key) != stays {
			t.Errorf("%s was kept: %v", key, !stays)
		}
	}
	if !stored(t, b, done) {
		t.Error("a completed export lost its bundles")
	}
}
