package queue_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// patience limits every wait. If it is reached, the event never came.
const patience = 30 * time.Second

var server *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &server) }

// onBoth runs a test on SQLite and on PostgreSQL. url is the URL of a database without rows.
func onBoth(t *testing.T, test func(t *testing.T, url string)) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return storetest.SQLite(t, filepath.Join(t.TempDir(), "q.db")) },
		"postgres": func(t *testing.T) string { return server.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, url(t))
		})
	}
}

// process simulates a process that has a queue on a database. It has its own store with its own connections.
type process struct {
	t     *testing.T
	st    *store.Store
	q     *queue.Queue
	looks chan task.Lane // receives the lane each time the process looks for a task
	runs  chan running   // receives each task that begins
}

type running struct {
	lane task.Lane
	id   string
	ctx  context.Context
	end  func() // lets the task end

	ended chan error // receives the cause if the task's context ended first, or nil
}

// open starts a process. opt sets the slots of the lanes, and the chores. If start is false, the process only sends
// wake-ups.
func open(t *testing.T, url string, start bool, opt queue.Options) *process {
	t.Helper()
	p := &process{t: t, looks: make(chan task.Lane, 100_000), runs: make(chan running, 1000)}
	p.st = openStore(t, url, time.Now)
	opt.DB = queue.DB{SQLite: p.st.SQLite(), Postgres: p.st.Postgres()}
	opt.ProcessID = id.Source{Rand: rand.Reader}.New("proc_")
	if opt.Claims == nil {
		opt.Claims = p.st
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if start && opt.Take == nil {
		opt.Take = p.take
	}
	p.q = queue.Open(opt)
	p.st.SetWake(p.q.Wake)
	if start {
		if err := p.q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.stop() })
	}
	return p
}

func openStore(t *testing.T, url string, now func() time.Time) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: url, Now: now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return st
}

func (p *process) stop() {
	p.t.Helper()
	if err := p.q.Stop(context.Background()); err != nil {
		p.t.Error(err)
	}
}

// take takes tasks from the store the way workers do. Each task runs until the test ends it or its context ends.
func (p *process) take(ctx context.Context, lane task.Lane) (func(context.Context), bool, error) {
	p.looks <- lane
	kinds := lane.Kinds()
	if lane == task.Express {
		kinds = task.Ordinary.Kinds()
	}
	t, ok, err := p.st.TakeTask(ctx, "me", time.Minute, lane == task.Express, kinds...)
	if err != nil || !ok {
		return nil, false, err
	}
	return func(ctx context.Context) {
		done, ended := make(chan struct{}), make(chan error, 1)
		p.runs <- running{lane: lane, id: t.ID, ctx: ctx, end: func() { close(done) }, ended: ended}
		select {
		case <-done:
			ended <- nil
		case <-ctx.Done():
			ended <- ctx.Err()
		}
	}, true, nil
}

// export queues n exports, each for a different organization, in one transaction. The transaction returns end.
func (p *process) export(n int, end error) error {
	return p.st.Tx(p.t.Context(), func(tx *store.Tx) error {
		for range n {
			o, err := tx.CreateOrganization(p.t.Context(), "o", account.PlanPro)
			if err != nil {
				return err
			}
			if _, err := tx.CreateExport(p.t.Context(),
				export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"}); err != nil {
				return err
			}
		}
		return end
	})
}

func (p *process) mustExport(n int) {
	p.t.Helper()
	if err := p.export(n, nil); err != nil {
		p.t.Fatal(err)
	}
}

func await[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("%s never came", what)
		panic("unreachable")
	}
}

// until polls the database until a condition holds. The database sends no notifications about such conditions.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); !holds(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s never came", what)
		}
	}
}
