package queue_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

func TestLeaderIsAWorkerProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		leader := func() string {
			name, err := queue.Leader(t.Context(), db(st), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			return name
		}
		if name := leader(); name != "" {
			t.Errorf("%s leads, and nobody works", name)
		}
		q := open(t, st, queue.Options{Slots: 1, Work: func(context.Context, task.Lane) error { return nil }})
		until(t, "a leader", func() bool { return strings.HasPrefix(leader(), "proc_") })
		if err := q.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		until(t, "the end of its lead", func() bool { return leader() == "" })
		if name, err := queue.Leader(t.Context(), db(st), time.Now().Add(time.Hour)); name != "" || err != nil {
			t.Errorf("%s still leads: %v", name, err)
		}
	})
}
