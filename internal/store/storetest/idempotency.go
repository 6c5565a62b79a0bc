package storetest

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// once handles a request that may be repeated: it creates an export unless the request already has a response.
func (w *world) once(s *store.Store, a store.Attempt) (answer store.StoredResponse, err error) {
	err = s.Tx(w.ctx, func(tx *store.Tx) error {
		repeated, err := tx.Reserve(w.ctx, a)
		if err != nil {
			return err
		}
		if repeated != nil {
			answer = *repeated
			return nil
		}
		j, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: a.OrganizationID})
		if err != nil {
			return err
		}
		answer = store.StoredResponse{Status: 202, Body: j.ID}
		return tx.Remember(w.ctx, a, answer)
	})
	return answer, err
}

func testIdempotency(t *testing.T, database func(*testing.T) string) {
	t.Run("a repeated request gets the first response (A4)", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		a := store.Attempt{OrganizationID: o.ID, Route: "POST /exports", Key: "k", BodyHash: "h"}
		first, err := w.once(w.s, a)
		w.ok(err)
		w.clock.advance(store.IdempotencyLife)
		again, err := w.once(w.s, a)
		if err != nil || again != first {
			t.Errorf("first %+v, then %+v (error %v)", first, again, err)
		}
		changed := a
		changed.BodyHash = "other"
		_, err = w.once(w.s, changed)
		w.wantFault(err, fault.Conflict, "idempotency_key_reused")
		foreign, route, key := a, a, a
		foreign.OrganizationID, route.Route, key.Key = other.ID, "POST /keys", "k2"
		for _, fresh := range []store.Attempt{foreign, route, key} {
			if answer, err := w.once(w.s, fresh); err != nil || answer == first {
				t.Errorf("%+v was taken for a repeat (error %v)", fresh, err)
			}
		}
		w.clock.advance(time.Millisecond)
		if late, err := w.once(w.s, a); err != nil || late == first {
			t.Errorf("after its lifetime, the key still returns %+v (error %v)", late, err)
		}
	})
	t.Run("a failed request is not remembered", func(t *testing.T) {
		w := newWorld(t, database)
		a := store.Attempt{OrganizationID: w.organization("a").ID, Route: "r", Key: "k", BodyHash: "h"}
		boom := errors.New("boom")
		if err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.Reserve(w.ctx, a)
			return errors.Join(err, boom)
		}); !errors.Is(err, boom) {
			t.Fatal(err)
		}
		changed := a
		changed.BodyHash = "corrected"
		if answer, err := w.once(w.s, changed); err != nil || answer.Status != 202 {
			t.Errorf("the corrected request got %+v (error %v)", answer, err)
		}
	})
	t.Run("one of fifty concurrent requests runs (A4)", func(t *testing.T) {
		w := newWorld(t, database)
		a := store.Attempt{OrganizationID: w.organization("a").ID, Route: "r", Key: "k", BodyHash: "h"}
		replicas := []*store.Store{w.s, w.replica()}
		var different atomic.Int64
		answers := make([]store.StoredResponse, 50)
		w.ok(together(len(answers), func(i int) (err error) {
			answers[i], err = w.once(replicas[i%2], a)
			return err
		}))
		for _, answer := range answers {
			if answer != answers[0] || answer.Status != 202 {
				different.Add(1)
			}
		}
		if n := w.count(`SELECT count(*) FROM static_exports`); n != 1 || different.Load() != 0 {
			t.Errorf("%d exports were made, %d answers differ", n, different.Load())
		}
	})
}

func testDelivery(t *testing.T, database func(*testing.T) string) {
	take := func(w *world, projectID, delivery string) (fresh bool, err error) {
		err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
			fresh, err = tx.TakeDelivery(w.ctx, projectID, delivery)
			return err
		})
		return fresh, err
	}
	t.Run("is new once per project (W5)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, q := w.project(o.ID), w.project(o.ID)
		for i, want := range []bool{true, false} {
			for _, projectID := range []string{p.ID, q.ID} {
				if fresh, err := take(w, projectID, "d"); err != nil || fresh != want {
					t.Errorf("time %d: new %v, want %v (error %v)", i+1, fresh, want, err)
				}
			}
		}
	})
	t.Run("is new once among concurrent requests (W5)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		var fresh atomic.Int64
		w.ok(together(20, func(int) error {
			isNew, err := take(w, p.ID, "d")
			if isNew {
				fresh.Add(1)
			}
			return err
		}))
		if fresh.Load() != 1 {
			t.Errorf("it was new %d times", fresh.Load())
		}
	})
	t.Run("deliveries and responses are forgotten after their time", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		_, err := take(w, p.ID, "d")
		w.ok(err)
		_, err = w.once(w.s, store.Attempt{OrganizationID: o.ID, Route: "r", Key: "k", BodyHash: "h"})
		w.ok(err)
		for _, step := range []struct {
			wait time.Duration
			want int64
		}{{store.IdempotencyLife, 0}, {time.Second, 1}, {store.DeliveryLife - store.IdempotencyLife - time.Second, 0},
			{time.Second, 1}} {
			w.clock.advance(step.wait)
			if n, err := w.s.Forget(w.ctx); err != nil || n != step.want {
				t.Errorf("after another %v: %d forgotten, want %d (error %v)", step.wait, n, step.want, err)
			}
		}
	})
}
