package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// J10: of several processes with different clocks, exactly one runs a chore, and it does so at once.
func TestOneProcessRunsAChore(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		done := make(chan struct{}, 100)
		var all []*process
		for _, ahead := range []time.Duration{0, time.Hour, -time.Hour, 0} {
			claims := openStore(t, url, func() time.Time { return time.Now().Add(ahead) })
			all = append(all, open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour, Claims: claims,
				Chores: []queue.Chore{{Name: "tidy", Every: time.Hour,
					Do: func(context.Context) error { done <- struct{}{}; return nil }}}}))
		}
		await(t, "the chore", done)
		for _, p := range all {
			p.stop()
		}
		if len(done) > 0 {
			t.Errorf("the chore was run %d times", len(done)+1)
		}
	})
}

// A chore runs again in the next period, even if it failed or panicked, and on another process if the process that ran
// it is gone.
func TestChoreIsRunInEachPeriod(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		ran := make(chan int, 1000)
		start := func(process int) *process {
			n := 0
			return open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour,
				Chores: []queue.Chore{{Name: "tidy", Every: 50 * time.Millisecond, Do: func(context.Context) error {
					ran <- process
					if n++; n%2 == 0 {
						panic("boom")
					}
					return errors.New("no")
				}}}})
		}
		first := start(1)
		for range 3 {
			await(t, "the chore", ran)
		}
		start(2)
		first.stop()
		for await(t, "the chore of the other process", ran) != 2 {
		}
	})
}

// A chore that is slower than its period stays claimed while it runs, so that no other process starts it as well.
func TestSlowChoreIsNotRunConcurrently(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		const every = 3 * time.Second // renewed after half of it, so that a busy machine has enough time
		started, resume := make(chan struct{}, 100), make(chan struct{})
		chores := []queue.Chore{{Name: "slow", Every: every, Do: func(context.Context) error {
			started <- struct{}{}
			<-resume
			return nil
		}}}
		first := open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour, Chores: chores})
		await(t, "the chore", started)
		open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour, Chores: chores})
		claim := claimed(t, first.st)
		for range 3 { // together longer than one period
			until(t, "the next claim", func() bool {
				now := claimed(t, first.st)
				moved := now > claim
				claim = now
				return moved
			})
		}
		if len(started) > 0 {
			t.Error("the chore was started again while it ran")
		}
		close(resume)
	})
}

// claimed returns when a chore was last claimed.
func claimed(t *testing.T, st *store.Store) (at int64) {
	t.Helper()
	const ask = `SELECT max(claimed_at) FROM chores`
	var err error
	if pg := st.Postgres(); pg != nil {
		err = pg.QueryRow(t.Context(), ask).Scan(&at)
	} else {
		err = st.SQLite().QueryRowContext(t.Context(), ask).Scan(&at)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}
