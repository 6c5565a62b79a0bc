package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func testExport(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged, only by its organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		var made export.Job
		w.tx(func(tx *store.Tx) (err error) {
			made, err = tx.CreateExport(w.ctx, export.Job{OrganizationID: a.ID, ProjectID: "prj_x",
				Domain: "docs.example.com", Version: "v2 β", Paths: []string{"index", "guides/start"},
				Groups: []string{"a", "b, c"}})
			return err
		})
		found, err := w.s.FindExport(w.ctx, a.ID, made.ID)
		w.ok(err)
		if !reflect.DeepEqual(found, made) || made.Status != export.Queued || !id.Has(id.Export, made.ID) {
			t.Errorf("stored %+v\n found %+v", made, found)
		}
		_, foreign := w.s.FindExport(w.ctx, b.ID, made.ID)
		_, unknown := w.s.FindExport(w.ctx, b.ID, "se_none")
		w.wantFault(foreign, fault.NotFound, "unknown_export")
		if !reflect.DeepEqual(foreign, unknown) {
			t.Errorf("error for another organization's export: %v, for a missing one: %v", foreign, unknown)
		}
	})
	t.Run("is created together with its task", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		j := w.export(o.ID)
		want := task.Task{ID: j.ID, Kind: task.Export, OrganizationID: o.ID, State: task.Queued,
			LeaseUntil: time.UnixMicro(0).UTC(), CreatedAt: j.CreatedAt}
		if k := w.findTask(j.ID); k != want {
			t.Errorf("its task is %+v\n want %+v", k, want)
		}
	})
	t.Run("runs, advances and completes", testExportLife(database))
	t.Run("never fails without a reason (J6)", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		h := hold(w.take("w"))
		if err := w.s.FailExport(w.ctx, h, ""); err == nil {
			t.Error("a failure without a message was stored")
		}
		if got := w.findExport(j.ID); got.Status != export.Queued || w.findTask(j.ID).State != task.Running {
			t.Errorf("the refused failure left %+v", got)
		}
		w.ok(w.s.FailExport(w.ctx, h, "No page \xff\x00."))
		if got := w.findExport(j.ID); got.Status != export.Failed || got.Error != "No page \uFFFD\uFFFD." ||
			w.findTask(j.ID).State != task.Done {
			t.Errorf("failed is %+v", got)
		}
	})
	t.Run("completes only after running, and with a bundle", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		h := hold(w.take("w"))
		if err := w.s.CompleteExport(w.ctx, h, 1, bundles()); err == nil {
			t.Error("an export that never ran completed")
		}
		_, err := w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		if err := w.s.CompleteExport(w.ctx, h, 1, nil); err == nil {
			t.Error("an export without a bundle completed")
		}
		if got := w.findExport(j.ID); got.Status != export.Running || got.Progress != 0 ||
			w.findTask(j.ID).State != task.Running {
			t.Errorf("refused completions left %+v", got)
		}
	})
}

func testExportLife(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		h := hold(w.take("w"))
		started, err := w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		if started.Status != export.Running || started.ID != j.ID {
			t.Errorf("started %+v", started)
		}
		for _, step := range []struct {
			report store.ExportProgress
			want   store.ExportProgress
		}{
			{store.ExportProgress{Progress: 12.5, PageCount: 3, Stage: export.StagePages, Commit: "c0ffee"},
				store.ExportProgress{Progress: 12.5, PageCount: 3, Stage: export.StagePages, Commit: "c0ffee"}},
			// A second attempt starts from the beginning, but the figures do not decrease (J5).
			{store.ExportProgress{Progress: 1, PageCount: 1, Stage: export.StageFetching},
				store.ExportProgress{Progress: 12.5, PageCount: 3, Stage: export.StageFetching, Commit: "c0ffee"}},
			{store.ExportProgress{Progress: 99.9, PageCount: 2, Stage: export.StagePackaging},
				store.ExportProgress{Progress: 99.9, PageCount: 3, Stage: export.StagePackaging, Commit: "c0ffee"}},
		} {
			w.clock.advance(time.Second)
			_, err := w.s.AdvanceExport(w.ctx, h, lease, step.report)
			w.ok(err)
			got := w.findExport(j.ID)
			if shown := (store.ExportProgress{Progress: got.Progress, PageCount: got.PageCount, Stage: got.Stage,
				Commit: got.Commit}); shown != step.want || !got.UpdatedAt.After(j.UpdatedAt) {
				t.Errorf("after report %+v it shows %+v at %v\n want %+v", step.report, shown, got.UpdatedAt, step.want)
			}
		}
		if _, err := w.s.AdvanceExport(w.ctx, h, lease, store.ExportProgress{Progress: 100}); err == nil ||
			w.findExport(j.ID).Progress != 99.9 {
			t.Errorf("progress reached 100 before completion (J5; error %v)", err)
		}
		w.ok(w.s.CompleteExport(w.ctx, h, 2, bundles()))
		got := w.findExport(j.ID)
		if got.Status != export.Completed || got.Progress != 100 || got.PageCount != 3 ||
			got.Stage != export.StageDone || !reflect.DeepEqual(got.Bundles, bundles()) {
			t.Errorf("completed is %+v", got)
		}
	}
}

func testCancel(t *testing.T, database func(*testing.T) string) {
	cancel := func(w *world, organizationID, exportID string) (j export.Job, err error) {
		err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
			j, err = tx.CancelExport(w.ctx, organizationID, exportID, "the key CI")
			return err
		})
		return j, err
	}
	t.Run("a waiting export ends at once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		j, err := cancel(w, o.ID, w.export(o.ID).ID)
		w.ok(err)
		if j.Status != export.Failed || j.Error != "The export was canceled by the key CI." ||
			j.ErrorCode != "export_canceled" || w.findTask(j.ID).State != task.Done {
			t.Errorf("canceled is %+v", j)
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false); ok || err != nil {
			t.Errorf("a worker got the canceled task (error %v)", err)
		}
		_, err = cancel(w, o.ID, j.ID)
		w.wantFault(err, fault.Conflict, "export_ended")
	})
	t.Run("a running export learns of it at its next heartbeat (J8)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.export(o.ID)
		h := hold(w.take("w"))
		_, err := w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		if asked, err := w.s.Beat(w.ctx, h, lease); asked || err != nil {
			t.Fatalf("asked to stop before anyone requested it (error %v)", err)
		}
		j, err := cancel(w, o.ID, h.TaskID)
		w.ok(err)
		if j.Status != export.Running {
			t.Errorf("a running export became %s before its worker stopped", j.Status)
		}
		beat, err := w.s.Beat(w.ctx, h, lease)
		w.ok(err)
		advance, err := w.s.AdvanceExport(w.ctx, h, lease, store.ExportProgress{Progress: 5})
		w.ok(err)
		if !beat || !advance {
			t.Errorf("asked to stop: by heartbeat %v, by progress report %v", beat, advance)
		}
		if err := w.s.CompleteExport(w.ctx, h, 1, bundles()); !errors.Is(err, task.ErrCanceled) ||
			w.findExport(h.TaskID).Status != export.Running {
			t.Errorf("an export that was asked to stop completed (error %v)", err)
		}
		w.ok(w.s.FailExport(w.ctx, h, task.Export.Canceled()))
		if got := w.findExport(h.TaskID); got.Error != "The export was canceled by the key CI." || got.EndedAt == nil {
			t.Errorf("canceled is %+v", got)
		}
	})
	t.Run("only the owner can cancel, and only before the end", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		j := w.export(o.ID)
		_, err := cancel(w, other.ID, j.ID)
		w.wantFault(err, fault.NotFound, "unknown_export")
		h := hold(w.take("w"))
		_, err = w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		w.ok(w.s.CompleteExport(w.ctx, h, 1, bundles()))
		_, err = cancel(w, o.ID, j.ID)
		w.wantFault(err, fault.Conflict, "export_ended")
	})
	t.Run("does not deadlock with progress reports", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.export(o.ID)
		h := hold(w.take("w"))
		_, err := w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		runs := 0
		w.ok(together(2, func(i int) error {
			for n := range 60 {
				if i == 0 {
					if _, err := w.s.AdvanceExport(w.ctx, h, lease,
						store.ExportProgress{Progress: float64(n)}); err != nil {
						return err
					}
					continue
				}
				if err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
					runs++
					_, err := tx.CancelExport(w.ctx, o.ID, h.TaskID, "")
					return err
				}); err != nil {
					return err
				}
			}
			return nil
		}))
		if runs != 60 {
			t.Errorf("60 cancellations were run %d times", runs)
		}
	})
}
