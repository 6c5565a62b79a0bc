package daemon

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsGivenBackWhenNoTaskRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		freed := 0
		m := newMemoryWith(func() { freed++ })
		passes := func(d time.Duration, want int, when string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if freed != want {
				t.Fatalf("%s: freed %d times, want %d", when, freed, want)
			}
		}
		passes(quietTime, 1, "after the start")
		first, second := m.use(), m.use()
		passes(time.Hour, 1, "while two tasks run")
		first()
		passes(time.Hour, 1, "while one of them runs")
		second()
		passes(quietTime/2, 1, "soon after the last")
		third := m.use()
		passes(quietTime, 1, "while the next one runs")
		third()
		passes(quietTime, 2, "after a quiet time")
		passes(time.Hour, 2, "later")
		m.use()()
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
		passes(time.Hour, 2, "after the end")
	})
}
