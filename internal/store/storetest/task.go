package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testTask(t *testing.T, database func(*testing.T) string) {
	t.Run("is taken with a lease, a new fence number and a count of attempts", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		j := w.export(o.ID)
		k := w.take("w")
		want := task.Task{ID: j.ID, Kind: task.Export, OrganizationID: o.ID, State: task.Running, Attempts: 1, Fence: 1,
			LeaseUntil: w.clock.now().UTC().Truncate(time.Microsecond).Add(lease), CreatedAt: j.CreatedAt}
		if k != want || w.findTask(j.ID) != want {
			t.Errorf("given %+v\n want %+v", k, want)
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false); ok || err != nil {
			t.Errorf("a running task was handed out again (error %v)", err)
		}
		_, err := w.s.FindTask(w.ctx, "se_none")
		w.wantFault(err, fault.NotFound, "unknown_task")
	})
	t.Run("is taken by one of many workers", testTaskOnce(database))
	t.Run("is requeued once, after its lease has expired (J2)", testTaskLapse(database))
	t.Run("is not requeued while its worker renews the lease", func(t *testing.T) {
		w := newWorld(t, database)
		w.export(w.organization("a").ID)
		h := hold(w.take("w"))
		for range 5 {
			w.clock.advance(lease - time.Second)
			_, err := w.s.Beat(w.ctx, h, lease)
			w.ok(err)
			if requeued, err := w.s.RequeueLapsed(w.ctx); len(requeued) != 0 || err != nil {
				t.Fatalf("a living worker lost %v (error %v)", requeued, err)
			}
		}
	})
	t.Run("a released task is taken again at once, and the attempt is not counted", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		w.waker.taken()
		for fence := range int64(task.MaxAttempts + 3) {
			k := w.take("w")
			if k.Attempts != 1 || k.Fence != fence+1 {
				t.Fatalf("start %d is %+v", fence+1, k)
			}
			w.ok(w.s.ReleaseTask(w.ctx, hold(k), nil))
			w.wantLost("second release", w.s.ReleaseTask(w.ctx, hold(k), nil))
			if woken := w.waker.taken(); len(woken) != 1 || w.findTask(j.ID).State != task.Queued {
				t.Fatalf("released with %d wake-ups: %+v", len(woken), w.findTask(j.ID))
			}
		}
	})
	t.Run("counts the attempts whose workers died (J7)", func(t *testing.T) {
		w := newWorld(t, database)
		w.export(w.organization("a").ID)
		for n := range task.MaxAttempts + 1 {
			if k := w.take("w"); k.Attempts != n+1 {
				t.Fatalf("start %d is counted as %d", n+1, k.Attempts)
			}
			w.clock.advance(lease + time.Second)
			_, err := w.s.RequeueLapsed(w.ctx)
			w.ok(err)
		}
	})
	t.Run("is counted while queued and while running", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for range 5 {
			w.export(o.ID)
		}
		h := hold(w.take("w"))
		w.take("w")
		w.ok(w.s.FailExport(w.ctx, h, "No."))
		if queued, running, err := w.s.CountTasks(w.ctx); queued != 3 || running != 1 || err != nil {
			t.Errorf("%d wait, %d run, want 3 and 1 (error %v)", queued, running, err)
		}
	})
	t.Run("the database protects the fence number and the end", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		h := hold(w.take("w"))
		if err := w.exec(`UPDATE tasks SET fence = 0 WHERE id = $1`, j.ID); err == nil {
			t.Error("the fence number decreased")
		}
		w.ok(w.s.FailExport(w.ctx, h, "No."))
		for _, state := range []string{"queued", "running"} {
			if err := w.exec(`UPDATE tasks SET state = $2 WHERE id = $1`, j.ID, state); err == nil {
				t.Errorf("a task that ended became %s", state)
			}
		}
	})
}

func testTaskLapse(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		const tasks = 12
		for range tasks {
			w.export(o.ID)
			w.take("w")
		}
		w.clock.advance(lease)
		if early, err := w.s.RequeueLapsed(w.ctx); len(early) != 0 || err != nil {
			t.Fatalf("leases lapsed early: %v (error %v)", early, err)
		}
		w.clock.advance(time.Millisecond)
		w.waker.taken()
		replicas := []*store.Store{w.s, w.replica()}
		var mu sync.Mutex
		times := map[string]int{}
		w.ok(together(6, func(i int) error {
			list, err := replicas[i%2].RequeueLapsed(w.ctx)
			mu.Lock()
			defer mu.Unlock()
			for _, name := range list {
				times[name]++
			}
			return err
		}))
		for name, n := range times {
			if n != 1 {
				t.Errorf("%s was requeued %d times", name, n)
			}
		}
		if woken := len(w.waker.taken()); len(times) != tasks || woken != tasks {
			t.Errorf("%d of %d came back with %d wake-ups", len(times), tasks, woken)
		}
	}
}

func testTaskOnce(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		const workers, tasks = 8, 200
		w.tx(func(tx *store.Tx) error {
			for i := range 3 {
				o, err := tx.CreateOrganization(w.ctx, fmt.Sprint(i), "pro")
				if err != nil {
					return err
				}
				for n := i; n < tasks; n += 3 {
					if _, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		replicas := []*store.Store{w.s, w.replica()}
		taken := make([][]string, workers)
		w.ok(together(workers, func(i int) error {
			for {
				k, ok, err := replicas[i%2].TakeTask(w.ctx, fmt.Sprint("worker ", i), lease, false)
				if err != nil {
					return err
				}
				if ok {
					taken[i] = append(taken[i], k.ID)
					continue
				}
				// A worker may skip rows that other workers are taking. It is done only when no task is waiting.
				if queued, _, err := replicas[i%2].CountTasks(w.ctx); err != nil || queued == 0 {
					return err
				}
			}
		}))
		seen := map[string]int{}
		for i, list := range taken {
			for _, name := range list {
				if other, twice := seen[name]; twice {
					t.Errorf("%s was handed out to workers %d and %d", name, other, i)
				}
				seen[name] = i
			}
		}
		if len(seen) != tasks {
			t.Errorf("%d of %d tasks were handed out", len(seen), tasks)
		}
	}
}
