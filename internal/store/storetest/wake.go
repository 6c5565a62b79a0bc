package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

func testWake(t *testing.T, database func(*testing.T) string) {
	t.Run("a failed wake-up rolls back the row and its task (J1)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		full := errors.New("the queue is full")
		w.waker.refuse = full
		for name, queue := range map[string]func(*store.Tx) error{
			"export": func(tx *store.Tx) error {
				_, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID})
				return err
			},
			"deployment": func(tx *store.Tx) error {
				_, err := tx.QueueDeployment(w.ctx, p, deploy.Production, "", "api")
				return err
			},
		} {
			if err := w.s.Tx(w.ctx, queue); !errors.Is(err, full) {
				t.Errorf("%s: error is %v", name, err)
			}
		}
		for _, table := range []string{"static_exports", "deployments", "tasks"} {
			if n := w.count(`SELECT count(*) FROM ` + table); n != 0 {
				t.Errorf("%s has %d rows without a wake-up", table, n)
			}
		}
	})
	t.Run("is committed with the row or not at all (J1)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.ok(w.exec(`CREATE TABLE tickets (n BIGINT)`))
		w.waker.also = func(ctx context.Context, engineTx any) error {
			return execIn(ctx, engineTx, `INSERT INTO tickets VALUES (1)`)
		}
		undo := errors.New("undo")
		for i := range 20 {
			err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
				if _, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID}); err != nil {
					return err
				}
				if i%2 == 1 {
					return undo
				}
				return nil
			})
			if err != nil && !errors.Is(err, undo) {
				t.Fatal(err)
			}
		}
		for _, table := range []string{"static_exports", "tasks", "tickets"} {
			if n := w.count(`SELECT count(*) FROM ` + table); n != 10 {
				t.Errorf("%s has %d rows, want 10", table, n)
			}
		}
	})
	t.Run("a failed wake-up leaves a released or expired task unchanged", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.export(w.organization("a").ID)
		k := w.take("w")
		w.clock.advance(lease + time.Second)
		w.waker.refuse = errors.New("the queue is full")
		_, lapsed := w.s.RequeueLapsed(w.ctx)
		if released := w.s.ReleaseTask(w.ctx, hold(k), nil); lapsed == nil || released == nil || w.findTask(j.ID) != k {
			t.Errorf("errors %v, %v; the task is %+v", lapsed, released, w.findTask(j.ID))
		}
	})
	t.Run("requests the express lane when the organization has no other task", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.export(a.ID)
		w.export(a.ID)
		first := w.export(b.ID)
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CancelExport(w.ctx, b.ID, first.ID, "")
			return err
		})
		w.export(b.ID) // the first export has ended, so this is the only one again
		if got := fmt.Sprint(w.waker.taken()); got != "[true false true true]" {
			t.Errorf("express: %s", got)
		}
	})
	t.Run("is repeated for tasks that have waited too long, up to a limit", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for range 5 {
			w.export(o.ID)
		}
		w.take("w")
		w.clock.advance(time.Minute)
		w.export(o.ID)
		w.waker.taken()
		for limit, want := range map[int]int{3: 3, 10: 4} {
			woken, err := w.s.RewakeStale(w.ctx, w.clock.now().Add(-30*time.Second), task.Ordinary, limit)
			if calls := len(w.waker.taken()); err != nil || woken != want || calls != want {
				t.Errorf("limit %d: said %d, woke %d, want %d (error %v)", limit, woken, calls, want, err)
			}
		}
		if woken, err := w.s.RewakeStale(w.ctx, w.clock.now().Add(-time.Hour), task.Ordinary, 10); woken != 0 ||
			err != nil {
			t.Errorf("%d tasks were woken before their time (error %v)", woken, err)
		}
		if queued, running, err := w.s.CountTasks(w.ctx); queued != 5 || running != 1 || err != nil {
			t.Errorf("waking changed the tasks: %d wait, %d run (error %v)", queued, running, err)
		}
	})
	t.Run("requests the express lane after an organization's last running task if others have running tasks (J7)",
		func(t *testing.T) {
			w := newWorld(t, database)
			a, b := w.organization("a"), w.organization("b")
			w.export(b.ID)
			first := w.take("w")
			w.export(b.ID)
			w.waker.lanes()
			w.ok(w.s.FailExport(w.ctx, hold(first), "No."))
			if got := w.waker.lanes(); len(got) != 0 {
				t.Errorf("without other running tasks it requested %v", got)
			}
			second := w.take("w")
			w.export(b.ID)
			w.export(a.ID)
			w.take("w")
			w.waker.lanes()
			w.ok(w.s.FailExport(w.ctx, hold(second), "No."))
			if got := w.waker.lanes(); len(got) != 1 || got[0] != task.Express {
				t.Errorf("the end requested %v", got)
			}
			third := w.take("w")
			w.export(b.ID)
			w.waker.lanes()
			w.ok(w.s.ReleaseTask(w.ctx, hold(third), &task.Outage{Limit: time.Hour}))
			if got := w.waker.lanes(); len(got) != 1 || got[0] != task.Express {
				t.Errorf("postponing requested %v", got)
			}
		})
	t.Run("ignores agent jobs when it requests the express lane (J7)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.agentJob(w.project(o.ID))
		w.waker.lanes()
		w.export(o.ID)
		if got := w.waker.lanes(); len(got) != 1 || got[0] != task.Either {
			t.Errorf("it requested %v", got)
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Agent); !ok || err != nil {
			t.Fatalf("%v %v", ok, err)
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, true, task.Export, task.Deploy); !ok || err != nil {
			t.Errorf("an organization with a running agent job is excluded from the express lane: %v", err)
		}
	})
	t.Run("renews express wake-ups only for organizations without running tasks (J7)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.backlog(a.ID, 3)
		w.take("w")
		w.clock.advance(time.Minute)
		since := w.clock.now().Add(-time.Second)
		if n, err := w.s.RewakeStale(w.ctx, since, task.Express, 1, task.Export); n != 0 || err != nil {
			t.Errorf("woke %d for an organization that has a task running (error %v)", n, err)
		}
		w.backlog(b.ID, 2)
		w.clock.advance(time.Minute)
		w.waker.lanes()
		n, err := w.s.RewakeStale(w.ctx, w.clock.now().Add(-time.Second), task.Express, 1, task.Export)
		if got := w.waker.lanes(); n != 1 || err != nil || len(got) != 1 || got[0] != task.Express {
			t.Errorf("woke %d: %v (error %v)", n, got, err)
		}
	})
	t.Run("a later SetWake replaces the earlier one", func(t *testing.T) {
		w := newWorld(t, database)
		called := 0
		w.s.SetWake(func(context.Context, any, task.Lane) error { called++; return nil })
		j := w.export(w.organization("a").ID)
		if called != 1 || len(w.waker.taken()) != 0 || w.findTask(j.ID).State != task.Queued {
			t.Errorf("the new one was called %d times", called)
		}
	})
}
