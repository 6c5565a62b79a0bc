package daemon

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsReturnedWhenNoTaskRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		freed, forgot, released := 0, 0, 0
		m := newMemoryWith(func() { freed++ }, func() { forgot++ }, func() { released++ })
		passes := func(d time.Duration, want, wantForgot int, when string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if freed != want || forgot != wantForgot || released != wantForgot {
				t.Fatalf("%s: freed %d, forgot %d and released %d times, want %d, %d, %[6]d", when, freed, forgot, released,
					want, wantForgot)
			}
		}
		passes(quietTime, 1, 0, "after the start")
		passes(idleTime-quietTime, 2, 1, "while nothing happens after the start")
		first, second := m.use(), m.use()
		passes(time.Hour, 2, 1, "while two tasks run")
		first()
		passes(time.Hour, 2, 1, "while one of them runs")
		second()
		passes(quietTime/2, 2, 1, "soon after the last")
		third := m.use()
		passes(quietTime, 2, 1, "while the next one runs")
		third()
		passes(quietTime, 3, 1, "after a quiet time")
		fourth := m.use()
		passes(idleTime, 3, 1, "while the next one runs")
		fourth()
		passes(idleTime, 5, 2, "when nothing has happened for longer")
		passes(time.Hour, 5, 2, "later")
		m.use()()
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
		passes(time.Hour, 5, 2, "after the end")
	})
}
