package storetest

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// backlog queues many exports of one organization in one transaction.
func (w *world) backlog(organizationID string, n int) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) error {
		for range n {
			if _, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: organizationID}); err != nil {
				return err
			}
		}
		return nil
	})
	w.clock.advance(time.Second)
}

// takeFrom takes a task, which must exist, and returns its organization.
func (w *world) takeFrom(express bool) (task.Task, string) {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, express)
	w.ok(err)
	if !ok {
		return k, ""
	}
	return k, k.OrganizationID
}

func testFairness(t *testing.T, database func(*testing.T) string) {
	t.Run("an organization's only task precedes another's backlog (J7)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.backlog(a.ID, tier.Choose(1000, 10_000))
		for range 3 { // workers are busy with the backlog
			if _, org := w.takeFrom(false); org != a.ID {
				t.Fatalf("got %q's task", org)
			}
		}
		j := w.export(b.ID)
		if k, _ := w.takeFrom(false); k.ID != j.ID {
			t.Error("the backlog came first")
		}
	})
	t.Run("a single worker alternates between organizations (J7)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.backlog(a.ID, 20)
		w.backlog(b.ID, 3)
		var order string
		for range 8 {
			k, org := w.takeFrom(false)
			order += map[string]string{a.ID: "a", b.ID: "b"}[org]
			w.ok(w.s.FailExport(w.ctx, hold(k), "No."))
			w.clock.advance(time.Second)
		}
		if order != "abababaa" {
			t.Errorf("one worker served %q, want abababaa", order)
		}
	})
	t.Run("the longest wait within an organization comes first", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		var want []string
		for range 5 {
			want = append(want, w.export(o.ID).ID)
			w.clock.advance(time.Millisecond)
		}
		for i, name := range want {
			if k := w.take("w"); k.ID != name {
				t.Errorf("task %d was not taken in order", i)
			}
		}
	})
	t.Run("the express lane serves only organizations without running tasks", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.backlog(a.ID, 5)
		if _, org := w.takeFrom(true); org != a.ID {
			t.Errorf("an idle organization was turned away: %q", org)
		}
		if _, org := w.takeFrom(true); org != "" {
			t.Errorf("the express lane served %q, which has a task running", org)
		}
		w.backlog(b.ID, 2)
		if _, org := w.takeFrom(true); org != b.ID {
			t.Errorf("the express lane served %q, want b", org)
		}
		if _, org := w.takeFrom(true); org != "" {
			t.Errorf("the express lane served %q, which has a task running", org)
		}
	})
	t.Run("a worker gets only tasks that it supports (J9)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.backlog(o.ID, 1) // exports
		for _, express := range []bool{false, true} {
			if got, ok, err := w.s.TakeTask(w.ctx, "old", lease, express, task.Deploy); ok || err != nil {
				t.Fatalf("a worker without exports got %+v, %v", got, err)
			}
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "new", lease, true, task.Deploy, task.Export); !ok || err != nil {
			t.Fatalf("the worker that supports the task got none: %v", err)
		}
	})
	t.Run("no wake-up is wasted, whichever lane is faster (J2)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.backlog(o.ID, 2) // wakes both lanes for the first export and the ordinary lane for the second
		if got := w.waker.taken(); len(got) != 2 || !got[0] || got[1] {
			t.Fatalf("express: %v", got)
		}
		w.takeFrom(false) // the ordinary lane is quicker
		if _, org := w.takeFrom(true); org != "" {
			t.Fatal("the express lane served an organization with a task running")
		}
		if _, org := w.takeFrom(false); org != o.ID {
			t.Error("the second task was not handed out")
		}
		if got := w.waker.taken(); len(got) != 0 {
			t.Errorf("taking tasks made wake-ups: %v", got)
		}
	})
}
