package deliver_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
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

// got is a request recorded by a receiver.
type got struct {
	header http.Header
	body   string
}

// receiver is a real HTTP server that records requests. respond may be nil; the server then responds with 204.
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

// taken returns the requests recorded since the last call.
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

// patience is the timeout of the rig's client. Slow receivers in tests do not sleep: they block until the request
// ends.
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

// endpoint stores an endpoint and returns it with its secret.
func (r *rig) endpoint(o account.Organization, url string, events ...string) (e endpoint.Endpoint, secret string) {
	r.Helper()
	return r.stored(endpoint.Endpoint{OrganizationID: o.ID, URL: url, Events: events})
}

func (r *rig) stored(e endpoint.Endpoint) (_ endpoint.Endpoint, secret string) {
	r.Helper()
	e.Enabled, secret = true, endpoint.NewSecret(rand.Reader)
	r.tx(func(tx *store.Tx) (err error) {
		e, err = tx.CreateEndpoint(r.Context(), e,
			func(endpointID string) string { return endpoint.SealSecret(master, rand.Reader, endpointID, secret) })
		return err
	})
	return e, secret
}

// record records an event and advances the clock so that the next event is later.
func (r *rig) record(o account.Organization, action, target string, data map[string]string) {
	r.Helper()
	r.tx(func(tx *store.Tx) error {
		return tx.Record(r.Context(), event.New(o.ID, "key_a", action, target, "", r.clock.Now(), data))
	})
	r.clock.Advance(time.Millisecond)
}

// work runs the next due delivery, if any.
func (r *rig) work() { r.Helper(); r.ok(r.pool.Work(r.Context(), task.Deliveries)) }

// deliveries returns an endpoint's deliveries, newest first.
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

// signature computes a signature as specified, independently of the code under test.
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
