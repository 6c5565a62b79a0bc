package exportjob_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// pool returns a worker pool configured like a server's, with the usual heartbeat.
func pool(b *worktest.Env, e *exportjob.Exporter) *worker.Pool {
	return &worker.Pool{Tasks: b.Store, Handlers: map[task.Kind]worker.Handler{task.Export: e}, Owner: "test",
		Lease: worktest.Lease, Heartbeat: 500 * time.Millisecond,
		Slots: 1, Now: b.Now, Logger: slog.New(slog.DiscardHandler),
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
}

func cancelNow(t *testing.T, b *worktest.Env, j export.Job) {
	t.Helper()
	err := b.Store.Tx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.CancelExport(context.Background(), j.OrganizationID, j.ID, "the key “CI”")
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// stopped checks that a cancellation leaves only the job, which records who canceled it.
func stopped(t *testing.T, b *worktest.Env, j export.Job) {
	t.Helper()
	got := find(t, b, j.ID)
	if got.Status != export.Failed || got.Error != "The export was canceled by the key “CI”." ||
		got.ErrorCode != "export_canceled" || len(got.Bundles) != 0 {
		t.Errorf("%+v", got)
	}
	nothingLeft(t, b)
}

// J8: author code that does not terminate does not delay a cancellation.
func TestCancelStopsLongRunningPageCode(t *testing.T) {
	b := worktest.New(t)
	const endless = "---\ntitle: Home\n---\n{(() => { while (true) {} })()}\n"
	files := map[string]string{"docs.json": site["docs.json"], "index.mdx": endless,
		"guides/start.mdx": site["guides/start.mdx"]}
	for i := range 50 { // each is stopped after seconds; together they outlast the slowest check for a cancellation
		files[fmt.Sprintf("endless-%d.mdx", i)] = endless
	}
	j := queueExport(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}))
	var asking sync.WaitGroup
	asking.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for find(t, b, j.ID).Stage != export.StageScanning {
			<-tick.C
		}
		cancelNow(t, b, j)
	})
	if err := pool(b, exporter(b)).Work(t.Context(), task.Ordinary); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	stopped(t, b, j)
}

// stalling stores everything except the end of each blob; there it blocks until its caller gives up.
type stalling struct {
	blob.Store
	once    sync.Once
	reached chan struct{} // closed when the first blob reaches its end
}

func (s *stalling) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	return s.Store.Put(ctx, key, io.MultiReader(r, &never{s, ctx}))
}

type never struct {
	s   *stalling
	ctx context.Context
}

func (n *never) Read([]byte) (int, error) {
	n.s.once.Do(func() { close(n.s.reached) })
	<-n.ctx.Done()
	return 0, n.ctx.Err()
}

// J8: storing a bundle does not delay a cancellation either.
func TestCancelStopsWhileABundleIsStored(t *testing.T) {
	b := worktest.New(t)
	j := queueExport(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}))
	e := exporter(b)
	slow := &stalling{Store: b.Blob, reached: make(chan struct{})}
	e.Blob = slow
	var asking sync.WaitGroup
	asking.Go(func() {
		<-slow.reached
		cancelNow(t, b, j)
	})
	if err := pool(b, e).Work(t.Context(), task.Ordinary); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	stopped(t, b, j)
}

// late requests the cancellation when both bundles are stored, just before the job completes.
type late struct {
	blob.Store
	left *int
	ask  func()
	mu   *sync.Mutex
}

func (l late) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	n, err := l.Store.Put(ctx, key, r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if *l.left--; *l.left == 0 {
		l.ask()
	}
	return n, err
}

// J8: a cancellation after all work is done still takes effect, and the bundles are removed.
func TestCancelJustBeforeCompletionTakesEffect(t *testing.T) {
	b := worktest.New(t)
	j := queueExport(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}))
	e := exporter(b)
	two := 2
	e.Blob = late{b.Blob, &two, func() { cancelNow(t, b, j) }, &sync.Mutex{}}
	if err := pool(b, e).Work(t.Context(), task.Ordinary); err != nil {
		t.Fatal(err)
	}
	stopped(t, b, j)
}
