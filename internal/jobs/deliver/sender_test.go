package deliver_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/deliver"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var master = bytes.Repeat([]byte("m"), 32)

const public = "https://lectern.example.com"

// got is a request that a receiver got.
type got struct {
	header http.Header
	body   string
}

// receiver is a real HTTP server that keeps what it gets. respond may be nil: then it responds with 204.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	all     []got
	respond http.HandlerFunc
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.all = append(r.all, got{req.Header, string(body)})
		respond := r.respond
		r.mu.Unlock()
		if respond == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		respond(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) set(f http.HandlerFunc) { r.mu.Lock(); defer r.mu.Unlock(); r.respond = f }

func (r *receiver) status(n int) {
	r.set(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(n)
		_, _ = io.WriteString(w, "no <b>luck</b>")
	})
}

// taken returns what came since the last call.
func (r *receiver) taken() []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.all
	r.all = nil
	return out
}

// rig is a worker that sends deliveries from a real database to real receivers.
type rig struct {
	*testing.T
	store  *store.Store
	clock  *worktest.Clock
	sender *deliver.Sender
	pool   *worker.Pool
	org    account.Organization
}

// patience is how long the rig's client waits. Receivers that are too slow wait for the end of the request instead.
const patience = 300 * time.Millisecond

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC))}
	var err error
	r.store, err = store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")),
		Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	r.ok(err)
	t.Cleanup(func() { _ = r.store.Close() })
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	r.ok(err)
	r.sender = &deliver.Sender{Store: r.store, PublicURL: public, Masters: [][]byte{master}, Agent: "Lectern/test",
		Client: guard.Client(outbound.Limits{Time: patience, Bytes: 1 << 40, Redirects: -1}), Now: r.clock.Now,
		Random: func() float64 { return 1 }}
	r.pool = &worker.Pool{Tasks: r.store, Owner: "w", Lease: time.Minute, Heartbeat: time.Second, Deliveries: 1, Now: r.clock.Now,
		Logger: slog.New(slog.DiscardHandler), Handlers: map[task.Kind]worker.Handler{task.Delivery: r.sender},
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	r.org = r.organization("Acme")
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) tx(do func(*store.Tx) error) { r.Helper(); r.ok(r.store.Tx(r.Context(), do)) }

func (r *rig) organization(name string) (o account.Organization) {
	r.Helper()
	r.tx(func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(r.Context(), name, account.PlanFree)
		return err
	})
	return o
}

// endpoint stores one and returns its secret.
func (r *rig) endpoint(o account.Organization, url string, events ...string) (e endpoint.Endpoint, secret string) {
	r.Helper()
	secret = endpoint.NewSecret(rand.Reader)
	r.tx(func(tx *store.Tx) (err error) {
		e, err = tx.CreateEndpoint(r.Context(), endpoint.Endpoint{OrganizationID: o.ID, URL: url, Events: events, Enabled: true},
			func(endpointID string) string { return endpoint.SealSecret(master, rand.Reader, endpointID, secret) })
		return err
	})
	return e, secret
}

// record records an event, and moves the clock so that the next one is later.
func (r *rig) record(o account.Organization, action, target string, data map[string]string) {
	r.Helper()
	r.tx(func(tx *store.Tx) error {
		return tx.Record(r.Context(), event.New(o.ID, "key_a", action, target, "", r.clock.Now(), data))
	})
	r.clock.Advance(time.Millisecond)
}

// work does the next delivery that is due, if there is one.
func (r *rig) work() { r.Helper(); r.ok(r.pool.Work(r.Context(), task.Deliveries)) }

// deliveries returns an endpoint's, newest first.
func (r *rig) deliveries(e endpoint.Endpoint) []endpoint.Delivery {
	r.Helper()
	list, _, err := r.store.ListDeliveries(r.Context(), e.OrganizationID, e.ID, "", store.Page{Limit: 100})
	r.ok(err)
	return list
}

func (r *rig) attempts(d endpoint.Delivery) []endpoint.Attempt {
	r.Helper()
	_, list, err := r.store.FindDelivery(r.Context(), d.OrganizationID, d.EndpointID, d.ID)
	r.ok(err)
	return list
}

func (r *rig) find(e endpoint.Endpoint) endpoint.Endpoint {
	r.Helper()
	found, err := r.store.FindEndpoint(r.Context(), e.OrganizationID, e.ID)
	r.ok(err)
	return found
}

// signature computes one as the specification says, apart from the code under test.
func signature(t *testing.T, secret string, g got) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 || len(key) > 64 {
		t.Fatalf("the secret has %d bytes (error %v)", len(key), err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(g.header.Get("Webhook-Id") + "." + g.header.Get("Webhook-Timestamp") + "." + g.body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// W1: a delivery is signed over its id, the time of the attempt and its body; for a day after a rotation also with the
// secret before.
func TestDeliveryIsSignedWithEverySecretThatCounts(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	e, first := r.endpoint(r.org, in.URL+"/in?x=1")
	r.record(r.org, "key.create", "key_b", map[string]string{"label": "nightly"})
	r.work()
	all := in.taken()
	if len(all) != 1 {
		t.Fatalf("%d requests", len(all))
	}
	d := r.deliveries(e)[0]
	h := all[0].header
	if h.Get("Webhook-Id") != d.ID || h.Get("Webhook-Timestamp") != "1772600760" || h.Get("Content-Type") != "application/json" ||
		h.Get("Webhook-Signature") != signature(t, first, all[0]) || d.State != endpoint.Delivered || d.Attempts != 1 {
		t.Errorf("header %v, delivery %+v", h, d)
	}
	second := endpoint.NewSecret(rand.Reader)
	r.tx(func(tx *store.Tx) (err error) {
		_, err = tx.RotateEndpoint(t.Context(), r.find(e), endpoint.SealSecret(master, rand.Reader, e.ID, second),
			r.clock.Now().Add(endpoint.SecretOverlap))
		return err
	})
	for _, step := range []struct {
		wait  time.Duration
		valid []string
	}{{endpoint.SecretOverlap - time.Second, []string{second, first}}, {time.Second, []string{second}}} {
		r.clock.Advance(step.wait)
		r.record(r.org, "key.revoke", "key_b", nil)
		r.work()
		g := in.taken()[0]
		var want []string
		for _, secret := range step.valid {
			want = append(want, signature(t, secret, g))
		}
		if h := g.header.Get("Webhook-Signature"); h != strings.Join(want, " ") {
			t.Errorf("signature %s, want %v", h, want)
		}
	}
}

// W3: a message is small, names things by id, and has the event's sequence number, whatever people called things.
func TestMessageIsSmallAndHasTheSequence(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	r.endpoint(r.org, in.URL)
	began := r.clock.Now()
	data := map[string]string{"project": "prj_" + strings.Repeat("a", 26)}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		data[strings.Repeat(string(c), 100)] = strings.Repeat("\u2028\x01é", 10_000)
	}
	r.record(r.org, "project.update", strings.Repeat("<", 5000), data)
	r.record(r.org, "deployment.start", "dep_"+strings.Repeat("a", 26), map[string]string{"project": "prj_" + strings.Repeat("a", 26)})
	r.work()
	r.work()
	all := in.taken()
	for i, g := range all {
		var m endpoint.Message
		r.ok(json.Unmarshal([]byte(g.body), &m))
		if len(g.body) >= 20_000 || m.Data.Sequence != int64(i+1) || m.Data.OrganizationID != r.org.ID ||
			!m.Timestamp.Equal(began.Add(time.Duration(i)*time.Millisecond)) {
			t.Errorf("%d bytes: %.300s", len(g.body), g.body)
		}
	}
	want := `{"type":"deployment.start","timestamp":"2026-03-04T05:06:00.001Z","data":{"eventId":"`
	if len(all) != 2 || !strings.HasPrefix(all[1].body, want) ||
		!strings.Contains(all[1].body, `"url":"`+public+`/dashboard/deployments/dep_aaaa`) {
		t.Errorf("%d messages, the last one %.300s", len(all), all[len(all)-1].body)
	}
}

func TestEndpointGetsTheEventsItAskedFor(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	other := r.organization("Other")
	r.endpoint(other, in.URL+"/other")
	r.endpoint(r.org, in.URL, "export.*", "key.create")
	for _, action := range []string{"export.start", "exporter.start", "export.link", "key.create", "key.create_more", "key.revoke"} {
		r.record(r.org, action, "x", nil)
	}
	for range 10 {
		r.work()
	}
	var types []string
	for _, g := range in.taken() {
		var m endpoint.Message
		r.ok(json.Unmarshal([]byte(g.body), &m))
		if m.Data.OrganizationID != r.org.ID {
			t.Errorf("another organization got %s", g.body)
		}
		types = append(types, m.Type)
	}
	if strings.Join(types, " ") != "export.start export.link key.create" {
		t.Errorf("delivered %v", types)
	}
}

// W2: a receiver that is away for a day gets everything once it is back, each event once and under one id, in few
// attempts.
func TestReceiverThatIsBackGetsEverything(t *testing.T) {
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

// W2: after the last attempt a delivery has failed, and a replay sends it again under its id.
func TestDeliveryFailsAfterItsAttemptsAndCanBeReplayed(t *testing.T) {
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
		t.Errorf("a replay is not tried again: %+v", found)
	}
	in.set(nil)
	r.clock.Advance(time.Minute)
	r.work()
	all := in.taken()
	if found := r.deliveries(e)[0]; found.State != endpoint.Delivered || all[len(all)-1].header.Get("Webhook-Id") != d.ID {
		t.Errorf("%+v", found)
	}
}

// W2, W4: what counts as success, and what becomes of a delivery whose receiver misbehaves.
func TestReceiversThatMisbehave(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer secret.Close()
	for name, c := range map[string]struct {
		respond http.HandlerFunc
		state   endpoint.State
		says    string
		wait    time.Duration // until the next attempt, with what chance adds; 0 = as after any failure
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

// W4: an address of the operator's network is refused, by number and by name, and the words do not say what it is.
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
		t.Error("the address was reached")
	}
}

// W2: 410 turns an endpoint off at once, and five days without a success do; what waited has failed, and a test still
// goes out.
func TestEndpointsAreTurnedOff(t *testing.T) {
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
					t.Fatal("it was turned off early")
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
				t.Error("it still gets events")
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

// W2, J3: a worker that died after the receiver took the event has it sent again under the same id and with the same
// body; what the dead worker still writes is refused.
func TestKilledWorkerSendsTheSameIDAgain(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	e, _ := r.endpoint(r.org, in.URL)
	r.record(r.org, "key.create", "key_b", nil)
	taken, ok, err := r.store.TakeTask(t.Context(), "dead", time.Minute, false, task.Delivery)
	if err != nil || !ok {
		t.Fatal(err)
	}
	in.set(func(w http.ResponseWriter, _ *http.Request) { // the lease ends while the request is under way
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

// J7: a receiver that does not answer takes two places at most; other endpoints of the same organization, and other
// organizations, are served meanwhile.
func TestSlowReceiverDelaysNoOther(t *testing.T) {
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
