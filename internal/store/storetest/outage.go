package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

// postpone releases a task the way a worker does when its storage does not respond.
func (w *world) postpone(k task.Task, limit time.Duration) error {
	return w.s.ReleaseTask(w.ctx, hold(k), &task.Outage{Limit: limit, Random: 1})
}

func testOutage(t *testing.T, database func(*testing.T) string) {
	t.Run("postpones a task longer each time, without counting the attempt", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		j := w.export(o.ID)
		for n := 1; n <= 2*task.MaxAttempts; n++ {
			k := w.take("w")
			if k.ID != j.ID || k.Attempts != 1 || k.Fence != int64(n) {
				t.Fatalf("start %d is %+v", n, k)
			}
			w.ok(w.postpone(k, 24*time.Hour))
			w.wantLost("second time", w.postpone(k, 24*time.Hour))
			w.clock.advance((task.Outage{Random: 1}).PauseAfter(n) - time.Second)
			if seen, err := w.s.Waiting(w.ctx); err != nil || seen.Postponed != 1 || seen.Oldest != 0 {
				t.Fatalf("pause %d: operators see %+v (error %v)", n, seen, err)
			}
			if _, org := w.takeFrom(false); org != "" {
				t.Fatalf("pause %d: the task was handed out before its end", n)
			}
			if woken, err := w.s.RewakeStale(w.ctx, w.clock.now(), task.Ordinary, 5); woken != 0 || err != nil {
				t.Fatalf("pause %d: %d were woken before its end (error %v)", n, woken, err)
			}
			w.clock.advance(time.Second)
			if woken, err := w.s.RewakeStale(w.ctx, w.clock.now(), task.Ordinary, 5); woken != 1 || err != nil {
				t.Fatalf("pause %d: %d were woken at its end (error %v)", n, woken, err)
			}
		}
	})
	t.Run("a task is not postponed beyond the limit", func(t *testing.T) {
		w := newWorld(t, database)
		w.export(w.organization("a").ID)
		w.ok(w.postpone(w.take("w"), time.Hour))
		w.clock.advance(time.Hour)
		k := w.take("w")
		if err := w.postpone(k, time.Hour); !errors.Is(err, task.ErrWaitedTooLong) {
			t.Fatalf("error %v", err)
		}
		w.ok(w.s.FailExport(w.ctx, hold(k), "No."))
	})
	t.Run("a clock set back does not extend a pause (J10)", func(t *testing.T) {
		w := newWorld(t, database)
		w.export(w.organization("a").ID)
		w.ok(w.postpone(w.take("w"), 24*time.Hour))
		w.clock.advance(-time.Hour)
		w.ok(w.postpone(w.take("w"), 24*time.Hour))
	})
	t.Run("another task of the organization can run meanwhile", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		first := w.export(o.ID)
		w.clock.advance(time.Second)
		second := w.export(o.ID)
		if k := w.take("w"); k.ID != first.ID {
			t.Fatal("the second task was handed out first")
		} else {
			w.ok(w.postpone(k, time.Hour))
		}
		if k := w.take("w"); k.ID != second.ID {
			t.Error("the postponed task was handed out")
		}
	})
}

// testJoinPostponed requests updates of a project while one of them waits for the end of an outage.
func testJoinPostponed(t *testing.T, database func(*testing.T) string) {
	t.Run("requests during an outage join one deployment, whose limits start again", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		first, _ := w.started(p, deploy.Production, "")
		w.clock.advance(2 * lease)
		_, err := w.s.RequeueLapsed(w.ctx) // the outage cost it one attempt
		w.ok(err)
		for n := range 6 {
			k := w.take("w")
			if k.ID != first.ID || n > 0 && (k.Attempts != 1 || k.Ran != 0) {
				t.Fatalf("round %d: took %+v", n, k)
			}
			_, err := w.s.StartDeployment(w.ctx, hold(k), lease)
			w.ok(err)
			w.ok(w.postpone(k, time.Hour))
			if d := w.deployment(p, deploy.Production, ""); d.ID != first.ID {
				t.Errorf("request %d got a deployment of its own", n)
			}
			w.clock.advance(task.LongestPause + 50*time.Minute) // in total longer than the limit
		}
		if queued, _, err := w.s.CountTasks(w.ctx); queued != 1 || err != nil {
			t.Errorf("%d deployments wait (error %v)", queued, err)
		}
	})
	t.Run("no request joins a deployment older than a running or live one", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		first, h := w.started(p, deploy.Production, "")
		w.clock.advance(time.Second)
		second := w.deployment(p, deploy.Production, "")
		w.ok(w.s.ReleaseTask(w.ctx, h, &task.Outage{Limit: time.Hour, Random: 1}))
		if d := w.deployment(p, deploy.Production, ""); d.ID != second.ID {
			t.Errorf("the newest waiting deployment is %s, got %s", second.ID, d.ID)
		}
		k := w.take("w")
		if d := w.deployment(p, deploy.Production, ""); d.ID == first.ID || d.ID == second.ID {
			t.Errorf("while a newer one runs: got %s", d.ID)
		}
		d, err := w.s.StartDeployment(w.ctx, hold(k), lease)
		w.ok(err)
		d.ManifestKey = "m"
		w.ok(w.s.PublishDeployment(w.ctx, hold(k), d))
		if d := w.deployment(p, deploy.Production, ""); d.ID == first.ID || d.ID == second.ID {
			t.Errorf("after a newer one was published: got %s", d.ID)
		}
	})
}

// testJobCap checks that a cap applies to two processes together.
func testJobCap(t *testing.T, database func(*testing.T) string) {
	w := newWorld(t, database)
	a, b := w.organization("a"), w.organization("b")
	for range 4 { // updates of four projects
		p := w.project(a.ID)
		w.tx(func(tx *store.Tx) error {
			_, err := tx.QueueDeployment(w.ctx, p, deploy.Production, "", "api")
			return err
		})
	}
	agents := w.project(a.ID)
	for range 3 {
		w.agentJob(agents)
	}
	one, two := w.replica(), w.replica()
	one.SetCaps(store.Caps{Jobs: 2})
	two.SetCaps(store.Caps{Jobs: 2})
	take := func(s *store.Store, kinds ...task.Kind) task.Task {
		t.Helper()
		k, _, err := s.TakeTask(w.ctx, "w", lease, false, kinds...)
		w.ok(err)
		return k
	}
	first, second, third := take(one, task.Deploy, task.Export), take(two, task.Deploy, task.Export),
		take(one, task.Deploy, task.Export)
	if first.ID == "" || second.ID == "" || third.ID != "" {
		t.Fatalf("got %q, %q and %q", first.ID, second.ID, third.ID)
	}
	if x, y, z := take(one, task.Agent), take(two, task.Agent), take(one, task.Agent); x.ID == "" || y.ID == "" ||
		z.ID != "" {
		t.Errorf("of the agent tasks, it got %q, %q and %q", x.ID, y.ID, z.ID)
	}
	j := w.export(b.ID)
	if k := take(two, task.Deploy, task.Export); k.ID != j.ID {
		t.Errorf("another organization got %q", k.ID)
	}
	w.waker.lanes()
	w.ok(one.FailDeployment(w.ctx, hold(first), deploy.Deployment{ID: first.ID, Error: "No."}))
	if got := w.waker.lanes(); len(got) != 1 {
		t.Errorf("the end of one woke %v", got)
	}
	if k := take(two, task.Deploy, task.Export); k.ID == "" || k.OrganizationID != a.ID {
		t.Errorf("the next task was not handed out: %+v", k)
	}
}
