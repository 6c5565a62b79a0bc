package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) record(organizationID, action string, data map[string]string) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error {
		return tx.Record(w.ctx, event.New(organizationID, "key_a", action, "prj_a", "req_a", w.clock.now(), data))
	})
}

// wantChain reads an organization's events in pages and checks that each event is chained to the previous one.
func (w *world) wantChain(organizationID string, length int) []event.Event {
	w.t.Helper()
	var all []event.Event
	for {
		page, err := w.s.ListEvents(w.ctx, organizationID, int64(len(all)), 7)
		w.ok(err)
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
	}
	prev := ""
	for i, e := range all {
		if e.Sequence != int64(i+1) || e.PrevHash != prev || !e.Verify() || e.OrganizationID != organizationID {
			w.t.Errorf("place %d of the chain is %+v", i+1, e)
		}
		prev = e.Hash
	}
	if len(all) != length {
		w.t.Errorf("the chain has %d events, want %d", len(all), length)
	}
	return all
}

func testEvent(t *testing.T, database func(*testing.T) string) {
	t.Run("is read back unchanged, on its organization's chain (D8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		data := map[string]string{"plan": "pro", "Größe": "<\"&\x00\xff>"}
		w.ok(w.record(a.ID, "org.plan", data))
		w.ok(w.record(b.ID, "key.create", nil))
		w.ok(w.record(a.ID, "key.create", map[string]string{}))
		list := w.wantChain(a.ID, 2)
		if e := list[0]; e.Action != "org.plan" || e.Actor != "key_a" || e.Target != "prj_a" ||
			e.RequestID != "req_a" || e.At.UnixMicro() != w.clock.now().UnixMicro() || e.Data["plan"] != "pro" {
			t.Errorf("recorded %+v", e)
		}
		if e := w.wantChain(b.ID, 1)[0]; !reflect.DeepEqual(e.Data, map[string]string{}) {
			t.Errorf("empty data is read back as %v", e.Data)
		}
		w.wantFault(w.record("org_none", "x", nil), fault.NotFound, "unknown_organization")
	})
	t.Run("concurrent events form one chain without gaps (D8)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.ok(together(30, func(i int) error { return w.record(o.ID, fmt.Sprint("n", i), nil) }))
		w.wantChain(o.ID, 30)
	})
	t.Run("is rolled back with its change", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.ok(w.record(o.ID, "one", nil))
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			if err := tx.Record(w.ctx, event.New(o.ID, "a", "undone", "t", "", w.clock.now(), nil)); err != nil {
				return err
			}
			return tx.SetPlan(w.ctx, o.ID, "no such plan")
		})
		if err == nil {
			t.Fatal("the change was not undone")
		}
		w.ok(w.record(o.ID, "two", nil))
		w.wantChain(o.ID, 2)
	})
	t.Run("the database refuses to change or remove it (D8)", testEventKept(database))
	t.Run("tampering is detected (D8)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.ok(w.record(o.ID, "one", map[string]string{"k": "v"}))
		honest := w.wantChain(o.ID, 1)[0]
		for name, change := range map[string]func(*event.Event){
			"actor":  func(e *event.Event) { e.Actor = "key_b" },
			"data":   func(e *event.Event) { e.Data = map[string]string{"k": "w"} },
			"time":   func(e *event.Event) { e.At = e.At.Add(1000) },
			"number": func(e *event.Event) { e.Sequence = 2 },
		} {
			forged := honest
			if change(&forged); forged.Verify() {
				t.Errorf("a forged %s is accepted", name)
			}
		}
	})
}

// D8: the database itself refuses to change or remove an event.
func testEventKept(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for i := range 3 {
			w.ok(w.record(o.ID, fmt.Sprint("n", i), nil))
		}
		before := w.wantChain(o.ID, 3)
		statements := []string{
			`UPDATE events SET actor = 'nobody'`,
			`UPDATE events SET hash = hash`,
			`DELETE FROM events WHERE sequence = 2`,
			`DELETE FROM events`,
			`INSERT INTO events SELECT 'evt_copy', organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash FROM events WHERE sequence = 2`,
		}
		if w.s.Postgres() != nil {
			statements = append(statements, `TRUNCATE events`, `TRUNCATE organizations CASCADE`)
		} else {
			statements = append(statements,
				`REPLACE INTO events SELECT id, organization_id, sequence, 'nobody', action, target, request_id, data, at, prev_hash, hash FROM events WHERE sequence = 2`,
				`INSERT OR REPLACE INTO events SELECT 'evt_new', organization_id, sequence, 'nobody', action, target, request_id, data, at, prev_hash, hash FROM events WHERE sequence = 2`)
		}
		for _, text := range statements {
			if err := w.exec(text); err == nil {
				t.Errorf("the database allowed: %s", text)
			}
		}
		if after := w.wantChain(o.ID, 3); !reflect.DeepEqual(after, before) {
			t.Errorf("the chain changed to %+v", after)
		}
	}
}
