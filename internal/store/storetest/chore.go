package storetest

import (
	"sync/atomic"
	"testing"
	"time"
)

func testChore(t *testing.T, database func(*testing.T) string) {
	const hour = time.Hour
	t.Run("is claimed by one of many processes in each period", func(t *testing.T) {
		w := newWorld(t, database)
		var won atomic.Int64
		for period := range int64(3) {
			w.ok(together(8, func(i int) error {
				wait, err := w.s.ClaimChore(w.ctx, "sweep", string(rune('a'+i)), hour)
				if err == nil && wait == 0 {
					won.Add(1)
				} else if wait < 0 || wait > hour {
					t.Errorf("waits for %s", wait)
				}
				return err
			}))
			if won.Load() != period+1 {
				t.Fatalf("%d claims in %d periods", won.Load(), period+1)
			}
			w.ok(w.exec(`UPDATE chores SET claimed_at = claimed_at - $1`, hour.Microseconds()))
		}
	})
	t.Run("is not due before its period has passed on the database's clock (J10)", func(t *testing.T) {
		w := newWorld(t, database)
		claim := func(name string) time.Duration {
			t.Helper()
			wait, err := w.s.ClaimChore(w.ctx, name, "a", hour)
			w.ok(err)
			return wait
		}
		if claim("sweep") != 0 || claim("poll") != 0 {
			t.Fatal("two chores are not due at first")
		}
		w.clock.advance(100 * hour) // the clock of this process
		if left := claim("sweep"); left <= hour/2 || left > hour {
			t.Errorf("due in %s", left)
		}
		w.ok(w.exec(`UPDATE chores SET claimed_at = claimed_at - $1`, (hour / 2).Microseconds()))
		if left := claim("sweep"); left <= 0 || left > hour/2 {
			t.Errorf("due in %s after half of it", left)
		}
		w.ok(w.s.RenewChore(w.ctx, "sweep", "another"))
		if left := claim("sweep"); left > hour/2 {
			t.Error("another process renewed it")
		}
		w.ok(w.s.RenewChore(w.ctx, "sweep", "a"))
		if left := claim("sweep"); left <= hour/2 {
			t.Errorf("due in %s after it was renewed", left)
		}
		w.ok(w.exec(`UPDATE chores SET claimed_at = claimed_at + $1`, (100 * hour).Microseconds())) // as if set back
		if left := claim("sweep"); left != 0 {
			t.Errorf("due in %s by a clock that was set back", left)
		}
	})
	t.Run("names the process that claimed it last", func(t *testing.T) {
		w := newWorld(t, database)
		if list, err := w.s.ListChores(w.ctx); len(list) != 0 || err != nil {
			t.Errorf("%+v (error %v)", list, err)
		}
		for _, name := range []string{"sweep", "poll"} {
			_, err := w.s.ClaimChore(w.ctx, name, "proc_"+name, hour)
			w.ok(err)
			w.ok(w.exec(`UPDATE chores SET claimed_at = claimed_at - $1`, hour.Microseconds()))
		}
		list, err := w.s.ListChores(w.ctx)
		if err != nil || len(list) != 2 || list[0].Name != "poll" || list[0].Process != "proc_poll" || list[0].Ago < hour ||
			list[1].Process != "proc_sweep" || list[1].Ago < 2*hour {
			t.Errorf("%+v (error %v)", list, err)
		}
	})
}
