package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testEventList(t *testing.T, database func(*testing.T) string) {
	t.Run("returns matching events in both directions", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		start := w.clock.now()
		for i, e := range []struct{ actor, action, target string }{
			{"key_a", "key.create", "key_b"}, {"mem_a", "key.revoke", "key_b"}, {"key_a", "keyring.open", "x"},
			{"key_a", "project.create", "prj_a"}, {"key_b", "key", "key_b"},
		} {
			w.tx(func(tx *store.Tx) error {
				return tx.Record(w.ctx, event.New(o.ID, e.actor, e.action, e.target, "",
					start.Add(time.Duration(i)*time.Hour), nil))
			})
		}
		w.ok(w.record(other.ID, "key.create", nil))
		for name, c := range map[string]struct {
			f    store.EventFilter
			want string
		}{
			"all":    {store.EventFilter{}, "1 2 3 4 5"},
			"actor":  {store.EventFilter{Actor: "key_a"}, "1 3 4"},
			"action": {store.EventFilter{Action: "key.revoke"}, "2"},
			"noun":   {store.EventFilter{Action: "key"}, "1 2 5"},
			"target": {store.EventFilter{Target: "key_b"}, "1 2 5"},
			"since":  {store.EventFilter{Since: start.Add(2 * time.Hour)}, "3 4 5"},
			"until":  {store.EventFilter{Until: start.Add(2 * time.Hour)}, "1 2"},
			"all of them": {store.EventFilter{Actor: "key_a", Action: "key", Target: "key_b", Since: start,
				Until: start.Add(time.Microsecond)}, "1"},
			"nothing": {store.EventFilter{Actor: "' OR ''='"}, ""},
		} {
			up, err := w.s.EventsAfter(w.ctx, o.ID, c.f, 0, 10)
			w.ok(err)
			down, err := w.s.FindEvents(w.ctx, o.ID, c.f, 0, 10)
			w.ok(err)
			var ups, downs []string
			for i := range up {
				ups = append(ups, fmt.Sprint(up[i].Sequence))
			}
			for i := range down {
				downs = append([]string{fmt.Sprint(down[i].Sequence)}, downs...)
			}
			if strings.Join(ups, " ") != c.want || strings.Join(downs, " ") != c.want {
				t.Errorf("%s: %v upwards, %v downwards, want %s", name, ups, downs, c.want)
			}
		}
		if list, err := w.s.FindEvents(w.ctx, o.ID, store.EventFilter{}, 4, 2); err != nil || len(list) != 2 ||
			list[0].Sequence != 3 {
			t.Errorf("below 4: %+v (error %v)", list, err)
		}
		if list, err := w.s.EventsAfter(w.ctx, o.ID, store.EventFilter{}, 3, 1); err != nil || len(list) != 1 ||
			list[0].Sequence != 4 {
			t.Errorf("after 3: %+v (error %v)", list, err)
		}
	})
	t.Run("ends at the organization's last sequence number (D8)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		if n, hash, err := w.s.EndOfEvents(w.ctx, o.ID); n != 0 || hash != "" || err != nil {
			t.Errorf("%d %s %v", n, hash, err)
		}
		w.ok(w.record(o.ID, "a.b", nil))
		w.ok(w.record(o.ID, "a.c", nil))
		last := w.wantChain(o.ID, 2)[1]
		if n, hash, err := w.s.EndOfEvents(w.ctx, o.ID); n != 2 || hash != last.Hash || err != nil {
			t.Errorf("%d %s %v", n, hash, err)
		}
		_, _, err := w.s.EndOfEvents(w.ctx, "org_none")
		w.wantFault(err, fault.NotFound, "unknown_organization")
	})
	t.Run("resolves ids to names only within their organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		var ids []string
		want := map[string]string{}
		for i := range 60 { // more than one query can look up
			m := w.member(o.ID, fmt.Sprint(i, "@example.com"), account.RoleViewer)
			ids, want[m.ID] = append(ids, m.ID, m.ID), m.Email
		}
		p, foreign := w.project(o.ID, "docs.example.com"), w.project(other.ID, "b.example.com")
		want[p.ID] = p.Name
		var labelled, bare account.Key
		w.tx(func(tx *store.Tx) (err error) {
			if labelled, err = tx.CreateKey(w.ctx,
				account.Key{OrganizationID: o.ID, Label: "ci", Hash: "1", CreatedAt: w.clock.now()}); err != nil {
				return err
			}
			bare, err = tx.CreateKey(w.ctx, account.Key{OrganizationID: o.ID, Hash: "2", CreatedAt: w.clock.now()})
			return err
		})
		want[labelled.ID] = "ci"
		ids = append(ids, p.ID, foreign.ID, labelled.ID, bare.ID, "operator", "", "dep_x", "\x00")
		got, err := w.s.FindNames(w.ctx, o.ID, ids)
		w.ok(err)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", got, want)
		}
		if got, err := w.s.FindNames(w.ctx, o.ID, nil); err != nil || len(got) != 0 {
			t.Errorf("%v (error %v)", got, err)
		}
	})
}
