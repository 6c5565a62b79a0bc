package deliver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/deliver"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
)

// W2: a receiver that was down for a day gets every event once it is back, each exactly once and with one id, after
// few attempts.
func TestRecoveredReceiverGetsMissedEvents(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	in.status(http.StatusInternalServerError)
	e, _ := r.endpoint(r.org, in.URL)
	for range 3 {
		r.record(r.org, "key.create", "key_b", nil)
	}
	tried := map[string]int{}
	for range 24 * 6 {
		for range 4 {
			r.work()
		}
		for _, g := range in.taken() {
			tried[g.header.Get("Webhook-Id")]++
		}
		r.clock.Advance(10 * time.Minute)
	}
	if len(tried) != 3 {
		t.Fatalf("ids %v", tried)
	}
	for name, n := range tried {
		if n < 5 || n > 8 {
			t.Errorf("%s was tried %d times in a day", name, n)
		}
	}
	in.set(nil)
	r.clock.Advance(endpoint.LongestPause)
	for range 10 {
		r.work()
	}
	arrived := map[string]int{}
	for _, g := range in.taken() {
		arrived[g.header.Get("Webhook-Id")]++
	}
	for _, d := range r.deliveries(e) {
		if d.State != endpoint.Delivered || arrived[d.ID] != 1 || tried[d.ID] == 0 || d.Attempts != tried[d.ID]+1 {
			t.Errorf("%+v arrived %d times", d, arrived[d.ID])
		}
	}
	if found := r.find(e); found.FailingSince != nil || !found.Enabled {
		t.Errorf("%+v", found)
	}
}

// W2: after the last attempt a delivery has failed, and a replay sends it again with the same id.
func TestFailedDeliveryCanBeReplayed(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	in.status(http.StatusBadGateway)
	e, _ := r.endpoint(r.org, in.URL)
	began := r.clock.Now()
	r.record(r.org, "key.create", "key_b", nil)
	for range endpoint.MaxAttempts + 2 {
		r.work()
		if d := r.deliveries(e)[0]; d.NextAt != nil {
			r.clock.Advance(d.NextAt.Sub(r.clock.Now()))
		}
	}
	d := r.deliveries(e)[0]
	if n := len(in.taken()); n != 10 || d.State != endpoint.Failed || d.Error != "The receiver responded with status 502." {
		t.Errorf("%d attempts, %+v", n, d)
	}
	if took := d.EndedAt.Sub(began); took < 3*24*time.Hour || took > 4*24*time.Hour {
		t.Errorf("it failed after %s", took)
	}
	if list := r.attempts(d); len(list) != 10 || list[9].Status != 502 || list[9].Response != "no <b>luck</b>" || list[9].Number != 10 {
		t.Errorf("%+v", list)
	}
	replay := func(since time.Time, want int) {
		t.Helper()
		r.tx(func(tx *store.Tx) error {
			n, err := tx.ReplayDeliveries(t.Context(), r.find(e), "", since)
			if n != want {
				t.Errorf("replayed %d", n)
			}
			return err
		})
	}
	replay(began.Add(time.Second), 0)
	replay(began, 1)
	r.work()
	if found := r.deliveries(e)[0]; found.State != endpoint.Queued || found.Attempts != 11 {
		t.Errorf("the replay was not retried: %+v", found)
	}
	in.set(nil)
	r.clock.Advance(time.Minute)
	r.work()
	all := in.taken()
	if found := r.deliveries(e)[0]; found.State != endpoint.Delivered || all[len(all)-1].header.Get("Webhook-Id") != d.ID {
		t.Errorf("%+v", found)
	}
}

// W2, W4: what counts as success, and the outcome of deliveries to misbehaving receivers.
func TestMisbehavingReceivers(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer secret.Close()
	for name, c := range map[string]struct {
		respond http.HandlerFunc
		state   endpoint.State
		says    string
		wait    time.Duration // until the next attempt, including jitter; 0 = the same as after any failure
	}{
		"200": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }, endpoint.Delivered, "", 0},
		"slow, then 200": {func(w http.ResponseWriter, req *http.Request) { <-req.Context().Done(); w.WriteHeader(200) },
			endpoint.Queued, "The host took too long to respond.", 0},
		"200 with a body that never ends": {func(w http.ResponseWriter, req *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		}, endpoint.Delivered, "", 0},
		"200 with a huge body": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000000")
			_, _ = io.WriteString(w, strings.Repeat("x", 10_000_000))
		}, endpoint.Delivered, "", 0},
		"redirect": {func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, secret.URL, http.StatusTemporaryRedirect)
		},
			endpoint.Queued, "The receiver redirected the request (status 307); redirects are not followed.", 0},
		"404": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, endpoint.Queued,
			"The receiver responded with status 404.", 0},
		"429 for an hour": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		},
			endpoint.Queued, "The receiver responded with status 429.", 72 * time.Minute},
		"503 until a date": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Wed, 04 Mar 2026 06:06:00 GMT")
			w.WriteHeader(503)
		}, endpoint.Queued, "The receiver responded with status 503.", 72 * time.Minute},
		"503 for years": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "999999999999")
			w.WriteHeader(503)
		},
			endpoint.Queued, "The receiver responded with status 503.", endpoint.LongestPause * 6 / 5},
		"closes the connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, endpoint.Queued,
			"The host cannot be reached.", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, in := newRig(t), newReceiver(t)
			in.set(c.respond)
			e, _ := r.endpoint(r.org, in.URL)
			r.record(r.org, "key.create", "key_b", nil)
			r.work()
			d := r.deliveries(e)[0]
			tries := r.attempts(d)
			if d.State != c.state || d.Error != c.says || len(tries) != 1 || len(tries[0].Response) > endpoint.MaxResponse {
				t.Fatalf("%+v %+v", d, tries)
			}
			if c.wait == 0 {
				c.wait = 6 * time.Second
			}
			if d.State == endpoint.Queued && d.NextAt.Sub(r.clock.Now()).Round(time.Second) != c.wait {
				t.Errorf("the next attempt is at %s", d.NextAt)
			}
		})
	}
}

// W4: addresses in the operator's network are rejected, both as IP addresses and as names, and the error does not
// reveal them.
func TestPrivateAddressIsNotReached(t *testing.T) {
	r := newRig(t)
	guard, err := outbound.NewGuard(nil)
	r.ok(err)
	r.sender.Client = deliver.NewClient(guard)
	in := newReceiver(t)
	for _, url := range []string{in.URL, strings.Replace(in.URL, "127.0.0.1", "localhost", 1), "http://169.254.169.254/latest", "http://[::1]:80/"} {
		e, _ := r.endpoint(r.org, url)
		r.tx(func(tx *store.Tx) error {
			_, err := tx.TestEndpoint(t.Context(), e, event.New(r.org.ID, "key_a", endpoint.TestAction, e.ID, "", r.clock.Now(), nil))
			return err
		})
		r.work()
		d := r.deliveries(e)[0]
		if d.State != endpoint.Queued || !strings.HasPrefix(d.Error, "This server may not connect to the address of the host") {
			t.Errorf("%s: %+v", url, d)
		}
	}
	if len(in.taken()) != 0 {
		t.Error("the private address was reached")
	}
}

// W2: status 410 turns an endpoint off at once, as do five days without a success; waiting deliveries fail, but a
// test delivery is still sent.
func TestFailingEndpointsAreTurnedOff(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		reason endpoint.OffReason
		days   int
	}{"gone": {410, endpoint.Gone, 0}, "failing": {500, endpoint.Failing, 5}} {
		t.Run(name, func(t *testing.T) {
			r, in := newRig(t), newReceiver(t)
			in.status(c.status)
			e, _ := r.endpoint(r.org, in.URL, "key.*")
			r.record(r.org, "key.create", "key_b", nil)
			r.record(r.org, "key.create", "key_b", nil)
			r.work()
			for range c.days {
				if !r.find(e).Enabled {
					t.Fatal("the endpoint was turned off too early")
				}
				r.clock.Advance(24 * time.Hour)
				r.record(r.org, "key.revoke", "key_b", nil)
				for range 10 {
					r.work()
				}
			}
			if found := r.find(e); found.Enabled || found.OffReason != c.reason {
				t.Fatalf("%+v", found)
			}
			events, err := r.store.ListEvents(t.Context(), r.org.ID, 0, 100)
			r.ok(err)
			if last := events[len(events)-1]; last.Action != "webhook.off" || last.Target != e.ID || last.Data["reason"] != string(c.reason) {
				t.Errorf("%+v", last)
			}
			in.taken()
			r.clock.Advance(48 * time.Hour)
			before := len(r.deliveries(e))
			r.record(r.org, "key.create", "key_b", nil)
			for range 10 {
				r.work()
			}
			for _, d := range r.deliveries(e) {
				if d.State != endpoint.Failed {
					t.Errorf("%+v", d)
				}
			}
			if len(in.taken()) != 0 || len(r.deliveries(e)) != before {
				t.Error("the endpoint still gets events")
			}
			on := r.find(e)
			on.Enabled = true
			r.tx(func(tx *store.Tx) (err error) { _, err = tx.UpdateEndpoint(t.Context(), on); return err })
			in.set(nil)
			r.record(r.org, "key.create", "key_b", nil)
			r.work()
			if found := r.find(e); len(in.taken()) != 1 || found.FailingSince != nil || found.OffReason != "" {
				t.Errorf("turned on again: %+v", found)
			}
		})
	}
}

// W2, J3: if a worker dies after the receiver accepted the event, the event is sent again with the same id and body;
// late writes by the dead worker are rejected.
func TestDeliveryKeepsIDAfterWorkerIsKilled(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	e, _ := r.endpoint(r.org, in.URL)
	r.record(r.org, "key.create", "key_b", nil)
	taken, ok, err := r.store.TakeTask(t.Context(), "dead", time.Minute, false, task.Delivery)
	if err != nil || !ok {
		t.Fatal(err)
	}
	in.set(func(w http.ResponseWriter, _ *http.Request) { // the lease expires during the request
		r.clock.Advance(2 * time.Minute)
		if requeued, err := r.store.RequeueLapsed(context.Background()); err != nil || len(requeued) != 1 {
			t.Error(requeued, err)
		}
	})
	if err := r.sender.Run(t.Context(), task.Hold{TaskID: taken.ID, Fence: taken.Fence}); err == nil {
		t.Fatal("the dead worker's write was accepted")
	}
	in.set(nil)
	r.work()
	all := in.taken()
	if len(all) != 2 || all[0].header.Get("Webhook-Id") != all[1].header.Get("Webhook-Id") || all[0].body != all[1].body {
		t.Errorf("%+v", all)
	}
	if d := r.deliveries(e)[0]; d.State != endpoint.Delivered || d.Attempts != 1 {
		t.Errorf("%+v", d)
	}
}

// J7: a receiver that does not respond occupies at most two slots, so other endpoints of the same organization and
// other organizations are still served.
func TestSlowReceiverDoesNotDelayOthers(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	slow, _ := r.endpoint(r.org, in.URL, "key.*")
	for range 5 {
		r.record(r.org, "key.create", "key_b", nil)
	}
	fast, _ := r.endpoint(r.org, in.URL, "export.*")
	other := r.organization("Other")
	theirs, _ := r.endpoint(other, in.URL)
	r.record(r.org, "export.start", "x", nil)
	r.record(other, "export.start", "x", nil)
	var receivers []string
	for range 7 {
		taken, ok, err := r.store.TakeTask(t.Context(), "w", time.Hour, false, task.Delivery)
		r.ok(err)
		if !ok {
			break
		}
		one, err := r.store.FindShipment(t.Context(), taken.ID)
		r.ok(err)
		receivers = append(receivers, one.Endpoint.ID)
	}
	count := map[string]int{}
	for _, one := range receivers {
		count[one]++
	}
	if count[slow.ID] != 2 || count[fast.ID] != 1 || count[theirs.ID] != 1 || receivers[1] != theirs.ID {
		t.Errorf("served %v", receivers)
	}
}
