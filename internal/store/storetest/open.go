package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testOpen(t *testing.T, database func(*testing.T) string) {
	t.Run("responds to a ping until it is closed", func(t *testing.T) {
		w := newWorld(t, database)
		other := w.replica()
		w.ok(other.Ping(w.ctx))
		w.ok(other.Close())
		if err := other.Ping(w.ctx); err == nil {
			t.Error("a closed store answered")
		}
	})
	t.Run("uses only the engine that its URL names", func(t *testing.T) {
		w := newWorld(t, database)
		if store.IsPostgres(w.url) != (w.s.Postgres() != nil) || store.IsPostgres(w.url) != (w.s.SQLite() == nil) {
			t.Errorf("URL %q gave SQLite %v, PostgreSQL %v", w.url, w.s.SQLite() != nil, w.s.Postgres() != nil)
		}
	})
	t.Run("makes committed changes durable (D1)", func(t *testing.T) {
		w := newWorld(t, database)
		if w.s.Postgres() != nil {
			if n := w.count(
				`SELECT count(*) FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'on'`); n != 3 {
				t.Errorf("%d of 3 durability settings are on", n)
			}
			return
		}
		if n := w.count(`PRAGMA synchronous`); n != 2 {
			t.Errorf("synchronous is %d, want 2 (FULL)", n)
		}
		if n := w.count(`SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'`); n != 1 {
			t.Error("the journal is not a write-ahead log")
		}
	})
	t.Run("refuses to queue a task without a queue", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.s.SetWake(nil)
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID})
			return err
		})
		if err == nil || w.count(`SELECT count(*) FROM static_exports`) != 0 {
			t.Errorf("a job without a wake-up was stored (error %v)", err)
		}
	})
}

func testTransaction(t *testing.T, database func(*testing.T) string) {
	t.Run("a failed transaction changes nothing", func(t *testing.T) {
		w := newWorld(t, database)
		boom := errors.New("boom")
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			o, err := tx.CreateOrganization(w.ctx, "a", account.PlanFree)
			if err != nil {
				return err
			}
			if _, err := tx.FindOrganization(w.ctx, o.ID); err != nil {
				t.Errorf("a transaction does not see its own change: %v", err)
			}
			return boom
		})
		if !errors.Is(err, boom) || w.count(`SELECT count(*) FROM organizations`) != 0 {
			t.Errorf("error %v, but the change was committed", err)
		}
	})
	t.Run("refuses text that one of the engines cannot store", func(t *testing.T) {
		w := newWorld(t, database)
		for _, text := range []string{"a\x00b", "\xff\xfe"} {
			w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.CreateOrganization(w.ctx, text, account.PlanFree)
				return err
			}), fault.Invalid, "invalid_text")
			_, err := w.s.FindExport(w.ctx, "org_a", text)
			w.wantFault(err, fault.Invalid, "invalid_text")
		}
	})
	t.Run("ends when its context is canceled", func(t *testing.T) {
		w := newWorld(t, database)
		ctx, cancel := context.WithCancel(w.ctx)
		err := w.s.Tx(ctx, func(tx *store.Tx) error {
			_, err := tx.CreateOrganization(ctx, "a", account.PlanFree)
			cancel()
			return err
		})
		if err == nil || w.count(`SELECT count(*) FROM organizations`) != 0 {
			t.Errorf("a canceled transaction was committed (error %v)", err)
		}
		w.organization("the connection is usable again")
	})
	t.Run("concurrent writers to one organization do not deadlock", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		const writers = 24
		var runs atomic.Int64
		w.ok(together(writers, func(int) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				runs.Add(1)
				j, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID})
				if err != nil {
					return err
				}
				return tx.Record(w.ctx, event.New(o.ID, "key_a", "export.create", j.ID, "req_a", w.clock.now(), nil))
			})
		}))
		if n := runs.Load(); n != writers {
			t.Errorf("%d transactions were run %d times: they locked each other out", writers, n)
		}
	})
}
