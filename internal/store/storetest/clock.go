package storetest

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/task"
)

// J10: the clock is set back or forward by an hour, as an administrator or a time service might do.
func testClock(t *testing.T, database func(*testing.T) string) {
	t.Run("a clock set back does not block a dead worker's task", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		w.take("dead")
		w.clock.advance(-time.Hour)
		if requeued, err := w.s.RequeueLapsed(w.ctx); err != nil || len(requeued) != 1 || requeued[0] != j.ID {
			t.Errorf("requeued %v (error %v)", requeued, err)
		}
	})
	t.Run("a clock set back does not prevent another wake-up", func(t *testing.T) {
		w := newWorld(t, database)
		w.export(w.organization("a").ID)
		w.clock.advance(-time.Hour)
		if woken, err := w.s.RewakeStale(w.ctx, w.clock.now().Add(-time.Second), task.Ordinary, 10); woken != 1 ||
			err != nil {
			t.Errorf("%d were woken (error %v)", woken, err)
		}
	})
	t.Run("a clock set back does not hide the next publication", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		for _, manifest := range []string{"before", "after", "again"} {
			d, h := w.started(p, deploy.Production, "")
			d.ManifestKey = manifest
			w.ok(w.s.PublishDeployment(w.ctx, h, d))
			if live, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil || live.ManifestKey != manifest {
				t.Errorf("readers see %q, want %q (error %v)", live.ManifestKey, manifest, err)
			}
			if last, err := w.s.FindLastDeployment(w.ctx, p.ID); err != nil || last.ID != d.ID {
				t.Errorf("the last deployment is not %q (error %v)", manifest, err)
			}
			w.clock.advance(-time.Hour)
		}
	})
	t.Run("a clock set back does not stop polls", func(t *testing.T) {
		w := newWorld(t, database)
		w.project(w.organization("a").ID)
		for round := range 3 {
			list, err := w.s.TakeDuePolls(w.ctx, w.clock.now().Add(-time.Minute), 10)
			if err != nil || len(list) != 1 {
				t.Errorf("round %d: %d due (error %v)", round, len(list), err)
			}
			w.clock.advance(-time.Hour)
		}
	})
	t.Run("a clock set forward requeues a running task once", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		before := hold(w.take("before"))
		_, err := w.s.StartExport(w.ctx, before, lease)
		w.ok(err)
		w.clock.advance(time.Hour)
		if requeued, err := w.s.RequeueLapsed(w.ctx); err != nil || len(requeued) != 1 || requeued[0] != j.ID {
			t.Fatalf("requeued %v (error %v)", requeued, err)
		}
		w.finish(hold(w.take("after")))
		w.wantLost("complete", w.s.CompleteExport(w.ctx, before, 99, bundles()))
		for _, jump := range []time.Duration{-time.Hour, 2 * time.Hour} {
			w.clock.advance(jump)
			if requeued, err := w.s.RequeueLapsed(w.ctx); err != nil || len(requeued) != 0 {
				t.Errorf("after %s a finished task came back: %v (error %v)", jump, requeued, err)
			}
		}
	})
	t.Run("a clock set forward makes a poll due once", func(t *testing.T) {
		w := newWorld(t, database)
		w.project(w.organization("a").ID)
		for round, want := range []int{1, 0, 1, 0} {
			list, err := w.s.TakeDuePolls(w.ctx, w.clock.now().Add(-time.Minute), 10)
			if err != nil || len(list) != want {
				t.Errorf("round %d: %d due, want %d (error %v)", round, len(list), want, err)
			}
			if want == 0 {
				w.clock.advance(time.Hour)
			}
		}
	})
}
