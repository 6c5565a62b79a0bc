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

// J8: work that ignores the end of its context delays the shutdown for the configured time and no longer.
func TestShutdownAbandonsTasksThatNeverEnd(t *testing.T) {
	b := worktest.New(t)
	begun, never := make(chan struct{}, 4), make(chan struct{})
	t.Cleanup(func() { close(never) })
	var out strings.Builder
	w := &workforce{pool: &worker.Pool{}, done: make(chan struct{}), patience: 200 * time.Millisecond,
		logger: slog.New(slog.NewTextHandler(&out, nil)), stop: func() {}}
	close(w.done) // nothing watches
	w.queue = queue.Open(queue.Options{DB: queueDB(b.Store), Logger: slog.New(slog.DiscardHandler),
		Slots: 1, Grace: 10 * time.Millisecond,
		Take: func(context.Context, task.Lane) (func(context.Context), bool, error) {
			return func(context.Context) { begun <- struct{}{}; <-never }, true, nil
		}})
	if err := w.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Store.SetWake(w.queue.Wake)
	b.QueueDeployment(t, b.Project(t, "docs.example.com", project.Source{Path: "/srv/docs"}), deploy.Production, "")
	<-begun
	if w.halt(t.Context()); !strings.Contains(out.String(), "abandoning them") {
		t.Errorf("logged %q", out.String())
	}
}
