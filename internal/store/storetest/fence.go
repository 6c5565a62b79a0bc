package storetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

// J3: a worker is frozen until another worker holds its task. Then it tries every kind of write.
func testFence(t *testing.T, database func(*testing.T) string) {
	late := map[string]func(*world, task.Hold) error{
		"beat": func(w *world, h task.Hold) error {
			_, err := w.s.Beat(w.ctx, h, lease)
			return err
		},
		"start": func(w *world, h task.Hold) error {
			_, err := w.s.StartExport(w.ctx, h, lease)
			return err
		},
		"advance": func(w *world, h task.Hold) error {
			_, err := w.s.AdvanceExport(w.ctx, h, lease,
				store.ExportProgress{Progress: 99, PageCount: 99, Stage: "late", Commit: "late"})
			return err
		},
		"complete": func(w *world, h task.Hold) error { return w.s.CompleteExport(w.ctx, h, 99, bundles()) },
		"fail":     func(w *world, h task.Hold) error { return w.s.FailExport(w.ctx, h, "Late.") },
		"release":  func(w *world, h task.Hold) error { return w.s.ReleaseTask(w.ctx, h, nil) },
	}
	now := map[string]func(*world, task.Hold){
		"waits again":      func(*world, task.Hold) {},
		"is another's":     func(w *world, _ task.Hold) { w.take("new") },
		"another finished": func(w *world, _ task.Hold) { w.finish(hold(w.take("new"))) },
	}
	for moment, meanwhile := range now {
		for name, write := range late {
			t.Run(name+" is refused when the task "+moment, func(t *testing.T) {
				w := newWorld(t, database)
				j := w.export(w.organization("a").ID)
				h := hold(w.take("frozen"))
				_, err := w.s.StartExport(w.ctx, h, lease)
				w.ok(err)
				w.clock.advance(lease + time.Second)
				_, err = w.s.RequeueLapsed(w.ctx)
				w.ok(err)
				meanwhile(w, h)
				job, k := w.findExport(j.ID), w.findTask(j.ID)
				w.clock.advance(time.Second)
				w.wantLost(name, write(w, h))
				if got := w.findExport(j.ID); !reflect.DeepEqual(got, job) || w.findTask(j.ID) != k {
					t.Errorf("the late worker changed it to %+v, %+v", got, w.findTask(j.ID))
				}
			})
		}
	}
	t.Run("a late worker that was not replaced continues", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		h := hold(w.take("slow"))
		w.clock.advance(lease + time.Second)
		w.finish(h)
		if got := w.findExport(j.ID); got.Status != export.Completed {
			t.Errorf("it is %s", got.Status)
		}
	})
}

func (w *world) finish(h task.Hold) {
	w.t.Helper()
	_, err := w.s.StartExport(w.ctx, h, lease)
	w.ok(err)
	w.ok(w.s.CompleteExport(w.ctx, h, 2, bundles()))
}
