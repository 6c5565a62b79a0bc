package storetest

import (
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

func testCounter(t *testing.T, database func(*testing.T) string) {
	t.Run("adds up concurrent counts of several processes (A5)", func(t *testing.T) {
		w := newWorld(t, database)
		seen, wait := make([]int, 40), sync.WaitGroup{}
		for i := range seen {
			wait.Go(func() {
				c, err := w.s.CountUp(w.ctx, "minute", "key_a", 1, time.Minute)
				if err != nil {
					t.Error(err)
				}
				seen[i] = c.N
			})
		}
		wait.Wait()
		once := map[int]bool{}
		for _, n := range seen {
			once[n] = true
		}
		if len(once) != len(seen) || !once[1] || !once[len(seen)] {
			t.Errorf("counted %v", seen)
		}
	})
	t.Run("does not extend its window, and starts a new one after it", func(t *testing.T) {
		w := newWorld(t, database)
		up := func(n int, window time.Duration) store.Count {
			c, err := w.s.CountUp(w.ctx, "minute", "key_a", n, window)
			w.ok(err)
			return c
		}
		if c := up(3, time.Minute); c != (store.Count{N: 3, Left: time.Minute}) {
			t.Errorf("first %+v", c)
		}
		w.clock.advance(20 * time.Second)
		if c := up(2, time.Hour); c != (store.Count{N: 5, Left: 40 * time.Second}) {
			t.Errorf("second %+v", c)
		}
		w.clock.advance(40 * time.Second)
		if c, err := w.s.FindCount(w.ctx, "minute", "key_a"); err != nil || c != (store.Count{}) {
			t.Errorf("after its end, the count is %+v (error %v)", c, err)
		}
		if c := up(1, time.Hour); c != (store.Count{N: 1, Left: time.Hour}) {
			t.Errorf("new window %+v", c)
		}
	})
	t.Run("separates kinds and keys, counts down and resets", func(t *testing.T) {
		w := newWorld(t, database)
		for _, name := range [][2]string{{"a", "b"}, {"a", "c"}, {"ab", ""}, {"", "ab"}} {
			c, err := w.s.CountUp(w.ctx, name[0], name[1], 1, time.Minute)
			if err != nil || c.N != 1 {
				t.Errorf("%q is counted with another: %+v (error %v)", name, c, err)
			}
		}
		want := func(n int) {
			t.Helper()
			if c, err := w.s.FindCount(w.ctx, "a", "b"); err != nil || c.N != n {
				t.Errorf("%+v instead of %d (error %v)", c, n, err)
			}
		}
		w.ok(w.s.CountDown(w.ctx, "a", "b"))
		want(0)
		w.ok(w.s.CountDown(w.ctx, "a", "b"))
		want(0)
		_, err := w.s.CountUp(w.ctx, "a", "b", 7, time.Minute)
		w.ok(err)
		want(7)
		w.ok(w.s.CountAnew(w.ctx, "a", "b"))
		want(0)
		w.clock.advance(time.Hour)
		if dropped, err := w.s.Forget(w.ctx); err != nil || dropped != 3 {
			t.Errorf("%d counts were removed after their end (error %v)", dropped, err)
		}
	})
}
