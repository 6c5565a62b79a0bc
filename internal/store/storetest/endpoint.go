package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) createEndpoint(e endpoint.Endpoint) (endpoint.Endpoint, error) {
	e.Enabled, e.URL = true, "https://hooks.example.com/in"
	err := w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		e, err = tx.CreateEndpoint(w.ctx, e, func(endpointID string) string { return "sealed for " + endpointID })
		return err
	})
	return e, err
}

func (w *world) endpoint(e endpoint.Endpoint) endpoint.Endpoint {
	w.t.Helper()
	made, err := w.createEndpoint(e)
	w.ok(err)
	return made
}

func (w *world) findEndpoint(e endpoint.Endpoint) endpoint.Endpoint {
	w.t.Helper()
	found, err := w.s.FindEndpoint(w.ctx, e.OrganizationID, e.ID)
	w.ok(err)
	return found
}

// deliveries returns an endpoint's deliveries, newest first.
func (w *world) deliveries(e endpoint.Endpoint) []endpoint.Delivery {
	w.t.Helper()
	list, _, err := w.s.ListDeliveries(w.ctx, e.OrganizationID, e.ID, "", store.Page{Limit: 100})
	w.ok(err)
	return list
}

// takeDelivery takes the next delivery. ok reports whether there was one.
func (w *world) takeDelivery() (h task.Hold, ok bool) {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Delivery)
	w.ok(err)
	return hold(k), ok
}

// ship takes a delivery, which must exist.
func (w *world) ship() (task.Hold, store.Shipment) {
	w.t.Helper()
	h, ok := w.takeDelivery()
	if !ok {
		w.t.Fatal("no delivery can be taken")
	}
	one, err := w.s.FindShipment(w.ctx, h.TaskID)
	w.ok(err)
	return h, one
}

func (w *world) replay(e endpoint.Endpoint, deliveryID string, since time.Time) (n int) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		n, err = tx.ReplayDeliveries(w.ctx, e, deliveryID, since)
		return err
	})
	return n
}

func testEndpoint(t *testing.T, database func(*testing.T) string) {
	t.Run("an endpoint that sends emails has a delivery for each recipient", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, Format: endpoint.Mail, Recipients: []string{"a@example.com", "b@example.com"}})
		e.Recipients = append(e.Recipients, "c@example.com")
		w.tx(func(tx *store.Tx) (err error) { _, err = tx.UpdateEndpoint(w.ctx, e); return err })
		w.ok(w.record(o.ID, "key.create", nil))
		_, one := w.ship()
		if got := w.deliveries(e); len(got) != 3 || one.Endpoint.Format != endpoint.Mail ||
			!slices.Equal(one.Endpoint.Recipients, e.Recipients) || !slices.Contains(e.Recipients, one.Delivery.Recipient) {
			t.Errorf("%+v of %+v", got, one)
		}
	})
	t.Run("is found, changed, rotated and deleted only by its organization", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, Description: "Chat", Events: []string{"export.*"},
			ProjectID: "prj_a", CreatedBy: "key_a"})
		found := w.findEndpoint(e)
		if found.Sealed != "sealed for "+e.ID || !found.Enabled || found.Description != "Chat" || found.ProjectID != "prj_a" ||
			!reflect.DeepEqual(found.Events, e.Events) || found.CreatedBy != "key_a" || found.CreatedAt.IsZero() {
			t.Errorf("found %+v", found)
		}
		found.URL, found.Events, found.Enabled = "https://other.example.com", nil, false
		until := w.clock.now().Add(time.Hour).Truncate(time.Microsecond)
		w.tx(func(tx *store.Tx) error {
			changed, err := tx.UpdateEndpoint(w.ctx, found)
			if err != nil {
				return err
			}
			_, err = tx.RotateEndpoint(w.ctx, changed, "second", until)
			return err
		})
		got := w.findEndpoint(e)
		if got.URL != found.URL || len(got.Events) != 0 || got.Enabled || got.Sealed != "second" ||
			got.SealedBefore != "sealed for "+e.ID || got.BeforeUntil == nil || !got.BeforeUntil.Equal(until) {
			t.Errorf("changed to %+v", got)
		}
		_, err := w.s.FindEndpoint(w.ctx, other.ID, e.ID)
		w.wantFault(err, fault.NotFound, "unknown_webhook_endpoint")
		stolen := got
		stolen.OrganizationID = other.ID
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error { _, err := tx.UpdateEndpoint(w.ctx, stolen); return err }),
			fault.NotFound, "unknown_webhook_endpoint")
		remove := func(organizationID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.DeleteEndpoint(w.ctx, organizationID, e.ID)
				return err
			})
		}
		w.wantFault(remove(other.ID), fault.NotFound, "unknown_webhook_endpoint")
		if list, err := w.s.ListEndpoints(w.ctx, other.ID); err != nil || len(list) != 0 {
			t.Errorf("the other organization lists %+v (error %v)", list, err)
		}
		w.ok(remove(o.ID))
		w.wantFault(remove(o.ID), fault.NotFound, "unknown_webhook_endpoint")
	})
	t.Run("the number per organization is limited, even for concurrent requests", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		for range endpoint.MaxEndpoints - 2 {
			w.endpoint(endpoint.Endpoint{OrganizationID: o.ID})
		}
		if err := together(4, func(int) error {
			_, err := w.createEndpoint(endpoint.Endpoint{OrganizationID: o.ID})
			if fault.HasCode(err, "too_many_webhook_endpoints") {
				return nil
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		if list, err := w.s.ListEndpoints(w.ctx, o.ID); err != nil || len(list) != endpoint.MaxEndpoints {
			t.Errorf("%d endpoints (error %v)", len(list), err)
		}
		w.endpoint(endpoint.Endpoint{OrganizationID: other.ID})
	})
}

func testEndpointDelivery(t *testing.T, database func(*testing.T) string) {
	t.Run("is queued in the transaction of its event", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		projectID := "prj_" + strings.Repeat("b", 26)
		all := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID})
		some := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, Events: []string{"export.*", "key.create"}})
		project := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, ProjectID: projectID})
		theirs := w.endpoint(endpoint.Endpoint{OrganizationID: other.ID})
		w.waker.lanes()
		failed := errors.New("undone")
		if err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			if err := tx.Record(w.ctx, event.New(o.ID, "a", "key.create", "t", "", w.clock.now(), nil)); err != nil {
				return err
			}
			return failed
		}); !errors.Is(err, failed) {
			t.Fatal(err)
		}
		if _, ok := w.takeDelivery(); ok || len(w.deliveries(all)) != 0 {
			t.Fatal("an event that was undone is delivered")
		}
		w.waker.lanes()
		w.ok(w.record(o.ID, "export.start", map[string]string{"project": projectID}))
		w.ok(w.record(o.ID, "key.revoke", nil))
		for name, c := range map[string]struct {
			e    endpoint.Endpoint
			want int
		}{"all": {all, 2}, "some": {some, 1}, "project": {project, 1}, "theirs": {theirs, 0}} {
			if n := len(w.deliveries(c.e)); n != c.want {
				t.Errorf("%s: %d deliveries", name, n)
			}
		}
		lanes := w.waker.lanes()
		if len(lanes) != 4 || lanes[0] != task.Deliveries {
			t.Errorf("woke %v", lanes)
		}
		for _, target := range []string{projectID, "prj_" + strings.Repeat("c", 26)} { // the target takes precedence
			w.tx(func(tx *store.Tx) error {
				return tx.Record(w.ctx, event.New(o.ID, "a", "project.update", target, "", w.clock.now(),
					map[string]string{"project": projectID}))
			})
			if n := len(w.deliveries(project)); n != 2 {
				t.Errorf("after an event about %s the project's endpoint has %d deliveries", target, n)
			}
		}
	})
	t.Run("is postponed, ended and replayed under the same id", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID})
		w.ok(w.record(o.ID, "key.create", nil))
		h, one := w.ship()
		d := one.Delivery
		if one.Endpoint.ID != e.ID || one.Event.Action != "key.create" || !one.Event.Verify() || d.State != endpoint.Queued {
			t.Fatalf("shipment %+v", one)
		}
		a := endpoint.Attempt{Number: 1, At: w.clock.now(), Took: 3 * time.Millisecond, Status: 500, Response: "no\x00",
			Error: "Status 500."}
		w.ok(w.s.PostponeDelivery(w.ctx, h, d, a, time.Hour))
		w.wantLost("postpone twice", w.s.PostponeDelivery(w.ctx, h, d, a, time.Hour))
		if _, ok := w.takeDelivery(); ok {
			t.Error("taken before its time")
		}
		if got := w.findEndpoint(e); got.FailingSince == nil {
			t.Errorf("%+v does not fail", got)
		}
		w.clock.advance(time.Hour)
		h, one = w.ship()
		a.Number, a.At = 2, w.clock.now()
		w.ok(w.s.EndDelivery(w.ctx, h, one.Delivery, &a, "Status 500.", ""))
		w.wantLost("end twice", w.s.EndDelivery(w.ctx, h, one.Delivery, &a, "", ""))
		_, _, err := w.s.FindDelivery(w.ctx, other.ID, e.ID, d.ID)
		w.wantFault(err, fault.NotFound, "unknown_webhook_delivery")
		found, log, err := w.s.FindDelivery(w.ctx, o.ID, e.ID, d.ID)
		w.ok(err)
		if found.State != endpoint.Failed || found.Attempts != 2 || found.EndedAt == nil || found.NextAt != nil || len(log) != 2 ||
			log[0].Status != 500 || !strings.HasPrefix(log[0].Response, "no") || log[1].Number != 2 {
			t.Errorf("%+v %+v", found, log)
		}
		stolen := e
		stolen.OrganizationID = other.ID
		if w.replay(stolen, d.ID, time.Time{}) != 0 || w.replay(e, "", w.clock.now()) != 0 || w.replay(e, d.ID, time.Time{}) != 1 ||
			w.replay(e, d.ID, time.Time{}) != 0 {
			t.Error("the wrong deliveries were replayed")
		}
		h, one = w.ship()
		if one.Delivery.ID != d.ID || one.Delivery.Earlier != 2 || one.Event.Action != "key.create" {
			t.Errorf("replayed %+v", one)
		}
		w.ok(w.s.EndDelivery(w.ctx, h, one.Delivery, &endpoint.Attempt{Number: 3, At: w.clock.now(), Status: 204}, "", ""))
		found, log, err = w.s.FindDelivery(w.ctx, o.ID, e.ID, d.ID)
		w.ok(err)
		if found.State != endpoint.Delivered || len(log) != 3 || w.findEndpoint(e).FailingSince != nil {
			t.Errorf("%+v %+v", found, log)
		}
	})
	t.Run("may turn its endpoint off, with an event", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID})
		w.ok(w.record(o.ID, "key.create", nil))
		h, one := w.ship()
		w.ok(w.s.EndDelivery(w.ctx, h, one.Delivery, &endpoint.Attempt{Number: 1, At: w.clock.now(), Status: 410, Error: "Gone."},
			"Gone.", endpoint.Gone))
		off, err := w.s.ListEndpointsOff(w.ctx)
		w.ok(err)
		if len(off) != 1 || off[0].ID != e.ID || off[0].Enabled || off[0].OffReason != endpoint.Gone ||
			w.lastAction(o.ID) != "webhook.off" {
			t.Errorf("off: %+v, last action %s", off, w.lastAction(o.ID))
		}
		w.ok(w.record(o.ID, "key.create", nil))
		if n := len(w.deliveries(e)); n != 1 {
			t.Errorf("%d deliveries of an endpoint that is off", n)
		}
		w.tx(func(tx *store.Tx) error { // a test event still reaches the endpoint
			_, err := tx.TestEndpoint(w.ctx, e, event.New(o.ID, "a", endpoint.TestAction, e.ID, "", w.clock.now(), nil))
			return err
		})
		if _, one := w.ship(); one.Event.Action != endpoint.TestAction {
			t.Errorf("took %+v", one)
		}
	})
	t.Run("at most two run at once for a receiver", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		slow := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, Events: []string{"key.*"}})
		for range 4 {
			w.ok(w.record(o.ID, "key.create", nil))
		}
		fast := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, Events: []string{"export.*"}})
		w.ok(w.record(o.ID, "export.start", nil))
		held, count := map[string]task.Hold{}, map[string]int{} // by endpoint
		for {
			h, ok := w.takeDelivery()
			if !ok {
				break
			}
			one, err := w.s.FindShipment(w.ctx, h.TaskID)
			w.ok(err)
			held[one.Endpoint.ID] = h
			count[one.Endpoint.ID]++
		}
		if count[slow.ID] != 2 || count[fast.ID] != 1 {
			t.Fatalf("taken %v", count)
		}
		w.ok(w.s.EndDelivery(w.ctx, held[slow.ID], endpoint.Delivery{ID: held[slow.ID].TaskID}, nil, "", ""))
		if _, one := w.ship(); one.Endpoint.ID != slow.ID {
			t.Errorf("took %+v", one)
		}
	})
	t.Run("is pruned with its task, and deleted with its endpoint", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID})
		for i := range 3 {
			w.ok(w.record(o.ID, fmt.Sprintf("key.a%d", i), nil))
			w.clock.advance(time.Second)
		}
		h, one := w.ship()
		w.ok(w.s.EndDelivery(w.ctx, h, one.Delivery, &endpoint.Attempt{Number: 1, At: w.clock.now(), Status: 200}, "", ""))
		w.clock.advance(time.Hour)
		h, later := w.ship()
		w.ok(w.s.EndDelivery(w.ctx, h, later.Delivery, nil, "", ""))
		w.ok(w.s.PruneDeliveries(w.ctx, w.clock.now().Add(-time.Minute)))
		tasks := func() int64 { return w.count(`SELECT count(*) FROM tasks WHERE kind = 'delivery'`) }
		attempts := w.count(`SELECT count(*) FROM webhook_attempts`)
		if list := w.deliveries(e); len(list) != 2 || list[1].ID != later.Delivery.ID || tasks() != 2 || attempts != 0 {
			t.Errorf("left are %+v, %d tasks and %d attempts", list, tasks(), attempts)
		}
		h, _ = w.ship()
		w.tx(func(tx *store.Tx) error { _, err := tx.DeleteEndpoint(w.ctx, o.ID, e.ID); return err })
		if _, err := w.s.FindShipment(w.ctx, h.TaskID); tasks() != 0 {
			t.Errorf("%d tasks are left", tasks())
		} else {
			w.wantLost("find the delivery of a deleted endpoint", err)
		}
		w.wantLost("end it", w.s.EndDelivery(w.ctx, h, endpoint.Delivery{ID: h.TaskID}, nil, "", ""))
	})
}
