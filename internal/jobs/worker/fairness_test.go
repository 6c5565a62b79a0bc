package worker_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// fairPool is a test process with a real queue and workers. Its exports run until the test lets them end.
type fairPool struct {
	t       *testing.T
	st      *store.Store
	started chan export.Job          // each export that a worker begins, in order
	finish  map[string]chan struct{} // by organization; a value sent lets one of its exports end
}

// openFairPool starts workers on a new database, with the given number of slots in the ordinary lane.
func openFairPool(t *testing.T, slots int, organizations ...string) *fairPool {
	t.Helper()
	f := &fairPool{t: t, started: make(chan export.Job, 1000), finish: map[string]chan struct{}{}}
	st, err := store.Open(t.Context(),
		store.Options{URL: filepath.Join(t.TempDir(), "f.db"), Now: time.Now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	f.st = st
	t.Cleanup(func() { _ = st.Close() })
	db, logger := queue.DB{SQLite: st.SQLite()}, slog.New(slog.DiscardHandler)
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range organizations {
		f.finish[f.organization(name)] = make(chan struct{})
	}
	work := handler{st: st, run: f.run}
	pool := &worker.Pool{Tasks: st, Handlers: map[task.Kind]worker.Handler{task.Export: work}, Owner: "me",
		Lease: time.Minute, Heartbeat: time.Second,
		Slots: slots, Now: time.Now, Logger: logger,
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	q := queue.Open(queue.Options{DB: db, Slots: slots, Take: pool.Take, Grace: time.Millisecond, Logger: logger})
	st.SetWake(q.Wake)
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Stop(context.Background()) })
	return f
}

func (f *fairPool) organization(name string) string {
	f.t.Helper()
	var o account.Organization
	f.tx(func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(f.t.Context(), name, account.PlanEnterprise)
		return err
	})
	return o.ID
}

func (f *fairPool) tx(fn func(*store.Tx) error) {
	f.t.Helper()
	if err := f.st.Tx(f.t.Context(), fn); err != nil {
		f.t.Fatal(err)
	}
}

// run signals that the export has started, and blocks until the test lets one of the organization's exports end.
func (f *fairPool) run(ctx context.Context, h task.Hold) error {
	j, err := f.st.FindExportByID(ctx, h.TaskID)
	if err != nil {
		return err
	}
	f.started <- j
	select {
	case <-f.finish[j.OrganizationID]:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enqueue queues n exports of an organization.
func (f *fairPool) enqueue(organizationID string, n int) {
	f.t.Helper()
	f.tx(func(tx *store.Tx) error {
		for range n {
			if _, err := tx.CreateExport(f.t.Context(),
				export.Job{OrganizationID: organizationID, Domain: "docs.example.com"}); err != nil {
				return err
			}
		}
		return nil
	})
}

// begins waits for the next export to start, which must be one of the organization's.
func (f *fairPool) begins(organizationID, what string) {
	f.t.Helper()
	select {
	case j := <-f.started:
		if j.OrganizationID != organizationID {
			f.t.Fatalf("%s: another organization's export started", what)
		}
	case <-time.After(20 * time.Second):
		f.t.Fatalf("%s: its export did not start although a lane is free (%s)", what, f.counts())
	}
}

func (f *fairPool) counts() string {
	queued, running, err := f.st.CountTasks(context.Background())
	return fmt.Sprintf("%d queued, %d running, error %v", queued, running, err)
}

func (f *fairPool) ids() (first, second string) {
	list, err := f.st.ListOrganizations(f.t.Context())
	if err != nil || len(list) != 2 {
		f.t.Fatalf("%v %v", list, err)
	}
	return list[0].ID, list[1].ID
}

// J7: one organization's slow jobs occupy every ordinary slot. Another organization queues jobs while one of its own
// runs; they start on the express lane as soon as the running one has ended.
func TestFinishedJobFreesExpressLaneForNextJob(t *testing.T) {
	f := openFairPool(t, 2, "a", "b")
	a, b := f.ids()
	f.enqueue(a, 5)
	f.begins(a, "a fills the slots")
	f.begins(a, "a fills the slots")
	f.enqueue(b, 1)
	f.begins(b, "first of b")
	f.enqueue(b, 2) // b has one running
	f.finish[b] <- struct{}{}
	f.begins(b, "second of b")
	f.finish[b] <- struct{}{}
	f.begins(b, "third of b")
}

// J7: one organization has ten thousand queued jobs and occupies every slot; another organization's single job is the
// next to start.
func TestBacklogDoesNotDelayOtherOrganizations(t *testing.T) {
	f := openFairPool(t, 2, "a", "b")
	a, b := f.ids()
	f.enqueue(a, 10_000)
	f.begins(a, "a fills the slots")
	f.begins(a, "a fills the slots")
	f.enqueue(b, 1)
	f.begins(b, "b beside the backlog")
	queued, running, err := f.st.CountTasks(t.Context())
	if queued != 9_998 || running != 3 || err != nil {
		t.Errorf("b did not start while both of a's jobs ran: %d queued, %d running (error %v)", queued, running, err)
	}
}
