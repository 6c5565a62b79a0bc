package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) session(p account.Person, organizationID, hash string) (s account.Session) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		s, err = tx.CreateSession(w.ctx, account.Session{Hash: hash, PersonID: p.ID, OrganizationID: organizationID,
			Method: "password", Address: "203.0.113.7", Agent: "A browser"})
		return err
	})
	return s
}

// wantSessions fails unless the person's remaining sessions are exactly those with these hashes.
func (w *world) wantSessions(p account.Person, hashes ...string) {
	w.t.Helper()
	list, err := w.s.ListSessions(w.ctx, p.ID)
	w.ok(err)
	got := []string{}
	for _, s := range list {
		got = append(got, s.Hash)
	}
	if !reflect.DeepEqual(got, append([]string{}, hashes...)) {
		w.t.Errorf("sessions %v are left, want %v", got, hashes)
	}
}

func testSession(t *testing.T, database func(*testing.T) string) {
	t.Run("is found with its person by the hash of its token", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.somebody("one@example.com")
		p.Recovery = []string{} // an empty list is read back as empty
		made := w.session(p, "org_x", "h1")
		got, err := w.s.FindVisitor(w.ctx, "h1")
		w.ok(err)
		if got.Session != made || !reflect.DeepEqual(got.Person, p) || !id.Has(id.Session, made.ID) ||
			!made.SeenAt.Equal(made.CreatedAt) {
			t.Errorf("stored %+v of %+v, found %+v", made, p, got)
		}
		_, err = w.s.FindVisitor(w.ctx, "h2")
		w.wantFault(err, fault.NotFound, "unknown_session")
		w.tx(func(tx *store.Tx) error { // a hostile user agent
			_, err := tx.CreateSession(w.ctx, account.Session{Hash: "h3", PersonID: p.ID, Agent: "\x00\xff"})
			return err
		})
	})
	t.Run("a person has at most a hundred, and the oldest end", func(t *testing.T) {
		w := newWorld(t, database)
		p, other := w.somebody("one@example.com"), w.somebody("two@example.com")
		w.session(other, "", "theirs")
		w.session(p, "", "first")
		w.clock.advance(time.Second)
		for i := range 100 { // at the same time
			w.session(p, "", fmt.Sprint("h", i))
		}
		list, err := w.s.ListSessions(w.ctx, p.ID)
		w.ok(err)
		_, err = w.s.FindVisitor(w.ctx, "first")
		w.wantFault(err, fault.NotFound, "unknown_session")
		if len(list) != 100 {
			t.Errorf("%d sessions", len(list))
		}
		w.session(p, "", "newest")
		if _, err := w.s.FindVisitor(w.ctx, "newest"); err != nil {
			t.Errorf("the newest is gone: %v", err)
		}
		w.wantSessions(other, "theirs")
	})
	t.Run("is used, moved and ended", func(t *testing.T) {
		w := newWorld(t, database)
		p, other := w.somebody("one@example.com"), w.somebody("two@example.com")
		first := w.session(p, "", "h1")
		w.clock.advance(time.Minute)
		second := w.session(p, "", "h2")
		w.session(other, "", "h3")
		w.wantSessions(p, "h2", "h1")
		later := w.clock.now().Add(time.Minute)
		w.ok(w.s.TouchSession(w.ctx, first.ID, later))
		w.ok(w.s.TouchSession(w.ctx, first.ID, later.Add(-time.Hour))) // the time does not move back
		w.wantSessions(p, "h1", "h2")
		if got, err := w.s.FindVisitor(w.ctx, "h1"); err != nil || got.Session.SeenAt.UnixMicro() != later.UnixMicro() {
			t.Errorf("%+v (error %v)", got, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.MoveSession(w.ctx, first.ID, "org_y") })
		if got, err := w.s.FindVisitor(w.ctx, "h1"); err != nil || got.Session.OrganizationID != "org_y" {
			t.Errorf("%+v (error %v)", got, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.EndSession(w.ctx, other.ID, second.ID) }) // another person's session
		w.wantSessions(p, "h1", "h2")
		for range 2 {
			w.tx(func(tx *store.Tx) error { return tx.EndSession(w.ctx, p.ID, second.ID) })
		}
		w.wantSessions(p, "h1")
		w.tx(func(tx *store.Tx) error { return tx.EndSessions(w.ctx, p.ID) })
		w.wantSessions(p)
		w.wantSessions(other, "h3")
	})
	t.Run("is pruned when it reaches a current limit (K10)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.somebody("one@example.com")
		old := w.session(p, "", "old")
		w.clock.advance(time.Hour)
		w.session(p, "", "idle")
		w.clock.advance(time.Hour)
		w.ok(w.s.TouchSession(w.ctx, old.ID, w.clock.now().Add(-time.Second)))
		w.session(p, "", "new")
		w.ok(w.s.PruneSessions(w.ctx, account.SessionLimits{Idle: time.Hour + time.Second, Absolute: 3 * time.Hour}))
		w.wantSessions(p, "new", "old", "idle")
		w.ok(w.s.PruneSessions(w.ctx, account.SessionLimits{Idle: time.Hour, Absolute: 3 * time.Hour}))
		w.wantSessions(p, "new", "old")
		w.ok(w.s.PruneSessions(w.ctx, account.SessionLimits{Idle: time.Hour, Absolute: 2 * time.Hour}))
		w.wantSessions(p, "new")
	})
}
