package daemon

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/store/queue"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// J8: work that ignores the end of its context holds up a stop for the stated time and no longer.
func TestShutdownAbandonsTasksThatNeverEnd(t *testing.T) {
	b := worktest.New(t)
	db := queueDB(b.Store)
	if err := queue.Migrate(t.Context(), db, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	begun, never := make(chan struct{}, 4), make(chan struct{})
	t.Cleanup(func() { close(never) })
	var out strings.Builder
	w := &workforce{pool: &worker.Pool{}, done: make(chan struct{}), patience: 200 * time.Millisecond,
		logger: slog.New(slog.NewTextHandler(&out, nil)), stop: func() {}}
	close(w.done) // nothing watches
	var err error
	w.queue, err = queue.Open(queue.Options{DB: db, ProcessID: "proc_test", Logger: slog.New(slog.DiscardHandler),
		Slots: 1, Grace: 10 * time.Millisecond,
		Work: func(context.Context, task.Lane) error { begun <- struct{}{}; <-never; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Store.SetWake(w.queue.Wake)
	b.QueueDeployment(t, b.Project(t, "docs.example.com", project.Source{Path: "/srv/docs"}), deploy.Production, "")
	<-begun
	if err := w.halt(t.Context()); err != nil || !strings.Contains(out.String(), "abandoning them") {
		t.Errorf("%v %q", err, out.String())
	}
}
