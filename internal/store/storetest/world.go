package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// lease is so long that it expires only in tests that advance the clock.
const lease = time.Minute

// clock is a time that changes only when a test changes it.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// waker is a fake queue: it records each wake-up and can refuse one.
type waker struct {
	mu      sync.Mutex
	express []bool // one entry per wake-up, even if its transaction was rolled back
	asked   []task.Lane
	refuse  error // nil = accept
	also    func(ctx context.Context, engineTx any) error
}

func (w *waker) wake(ctx context.Context, engineTx any, lane task.Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.express = append(w.express, lane == task.Either)
	w.asked = append(w.asked, lane)
	if w.also != nil {
		if err := w.also(ctx, engineTx); err != nil {
			return err
		}
	}
	return w.refuse
}

// taken returns the wake-ups since the last call.
func (w *waker) taken() []bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.express
	w.express = nil
	return out
}

// lanes returns the lanes of the wake-ups since the last call.
func (w *waker) lanes() []task.Lane {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.asked
	w.asked = nil
	return out
}

// world is one test's database, clock and queue.
type world struct {
	t     *testing.T
	ctx   context.Context
	url   string
	clock *clock
	waker *waker
	s     *store.Store
}

// newWorld opens a database without migrating it. Tests for migrations get a database without tables, and all other
// tests get a database with every table. The clock starts with a time zone and nanoseconds, which the database does not
// store.
func newWorld(t *testing.T, database func(*testing.T) string) *world {
	t.Helper()
	w := &world{t: t, ctx: t.Context(), url: database(t), waker: &waker{},
		clock: &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("east", 2*60*60))}}
	w.s = w.replica()
	return w
}

// replica opens the same database once more, as another process would.
func (w *world) replica() *store.Store {
	w.t.Helper()
	s, err := store.Open(w.ctx,
		store.Options{URL: w.url, Now: w.clock.now, IDs: id.Source{Rand: rand.Reader}, Wake: w.waker.wake,
			Domains: project.DomainPolicy{Open: []string{"example.com",
				"example.org"}}}) // other names need proof
	if err != nil {
		w.t.Fatalf("open store: %v", err)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Errorf("close store: %v", err)
		}
	})
	return s
}

// tx runs fn in a transaction that must succeed.
func (w *world) tx(fn func(*store.Tx) error) {
	w.t.Helper()
	w.ok(w.s.Tx(w.ctx, fn))
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("unexpected error: %v", err)
	}
}

// exec runs a raw statement, bypassing the store's rules.
func (w *world) exec(text string, args ...any) error {
	if pool := w.s.Postgres(); pool != nil {
		_, err := pool.Exec(w.ctx, text, args...)
		return err
	}
	_, err := w.s.SQLite().ExecContext(w.ctx, text, args...)
	return err
}

// count runs a raw query whose result is a single number.
func (w *world) count(text string, args ...any) (n int64) {
	w.t.Helper()
	if pool := w.s.Postgres(); pool != nil {
		w.ok(pool.QueryRow(w.ctx, text, args...).Scan(&n))
		return n
	}
	w.ok(w.s.SQLite().QueryRowContext(w.ctx, text, args...).Scan(&n))
	return n
}

// execIn runs a raw statement inside an engine transaction, just like the queue does.
func execIn(ctx context.Context, engineTx any, text string) (err error) {
	switch tx := engineTx.(type) {
	case *sql.Tx:
		_, err = tx.ExecContext(ctx, text)
	case pgx.Tx:
		_, err = tx.Exec(ctx, text)
	default:
		err = fmt.Errorf("wake got a %T, not an engine transaction", engineTx)
	}
	return err
}

func (w *world) organization(name string) (o account.Organization) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(w.ctx, name, account.PlanEnterprise)
		return err
	})
	return o
}

// project stores a Git project with the domains.
func (w *world) project(organizationID string, domains ...string) (p project.Project) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(w.ctx, project.Project{OrganizationID: organizationID, Name: "docs", Domains: domains,
			Source: project.Source{Repository: "https://git.example/docs.git", Branch: "main",
				Credential: "deploy"},
			DocsFolder: "docs"})
		return err
	})
	return p
}

func (w *world) export(organizationID string) (j export.Job) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		j, err = tx.CreateExport(w.ctx,
			export.Job{OrganizationID: organizationID, ProjectID: "prj_any", Domain: "docs.example.com"})
		return err
	})
	return j
}

// take takes the next task. There must be one.
func (w *world) take(owner string) task.Task {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, owner, lease, false)
	w.ok(err)
	if !ok {
		w.t.Fatal("no task was handed out although one is waiting")
	}
	return k
}

func hold(k task.Task) task.Hold { return task.Hold{TaskID: k.ID, Fence: k.Fence} }

func (w *world) findExport(exportID string) export.Job {
	w.t.Helper()
	j, err := w.s.FindExportByID(w.ctx, exportID)
	w.ok(err)
	return j
}

func (w *world) findTask(taskID string) task.Task {
	w.t.Helper()
	k, err := w.s.FindTask(w.ctx, taskID)
	w.ok(err)
	return k
}

func (w *world) wantFault(err error, kind fault.Kind, code string) {
	w.t.Helper()
	if !fault.Is(err, kind) || !fault.HasCode(err, code) {
		w.t.Errorf("error is %v, want the fault %s", err, code)
	}
}

func (w *world) wantLost(what string, err error) {
	w.t.Helper()
	var lost task.Lost
	if !errors.As(err, &lost) {
		w.t.Errorf("%s: error is %v, want task.Lost", what, err)
	}
}

// together runs n functions at the same time and returns their errors.
func together(n int, fn func(i int) error) error {
	var wg sync.WaitGroup
	start, errs := make(chan struct{}), make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = fn(i)
		})
	}
	close(start)
	wg.Wait()
	return errors.Join(errs...)
}

func bundles() []export.Bundle {
	return []export.Bundle{{Format: export.TarGz, Key: "exports/a.tar.gz", Size: 7, SHA256: "ab"},
		{Format: export.Zip, Key: "exports/a.zip", Size: 9, SHA256: "cd"}}
}
