package storetest

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// wentLive queues, builds and publishes a production deployment.
func (w *world) wentLive(p project.Project) deploy.Deployment {
	w.t.Helper()
	w.clock.advance(time.Second)
	d, h := w.started(p, deploy.Production, "")
	w.goLive(d, h)
	return w.findDeployment(d.ID)
}

func (w *world) goLive(d deploy.Deployment, h task.Hold) {
	w.t.Helper()
	d.ManifestKey = "manifests/" + d.ID
	w.ok(w.s.PublishDeployment(w.ctx, h, d))
}

func (w *world) rollBack(p project.Project, deploymentID string) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error {
		_, err := tx.RollBack(w.ctx, p, deploymentID, "key_x")
		return err
	})
}

func (w *world) wantLive(what string, p project.Project, deploymentID string) {
	w.t.Helper()
	if live, err := w.s.FindLive(w.ctx, p.Domains[0]); err != nil || live.DeploymentID != deploymentID ||
		live.ManifestKey != "manifests/"+deploymentID {
		w.t.Errorf("%s: readers see %+v (error %v), want %s", what, live, err, deploymentID)
	}
}

func testRollBack(t *testing.T, database func(*testing.T) string) {
	t.Run("makes an earlier deployment live, back and forth", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		first, second := w.wentLive(p), w.wentLive(p)
		w.wantLive("published", p, second.ID)
		w.ok(w.rollBack(p, first.ID))
		w.wantLive("back", p, first.ID)
		w.ok(w.rollBack(p, second.ID))
		w.wantLive("forth", p, second.ID)
	})
	t.Run("is recorded on the deployment with its principal", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		first := w.wentLive(p)
		second := w.wentLive(p)
		w.ok(w.rollBack(p, first.ID))
		if d := w.findDeployment(first.ID); d.RestoredBy != "key_x" || d.RestoredAt == nil {
			t.Errorf("%q %v", d.RestoredBy, d.RestoredAt)
		}
		if d := w.findDeployment(second.ID); d.RestoredBy != "" || d.RestoredAt != nil {
			t.Errorf("the other deployment: %q %v", d.RestoredBy, d.RestoredAt)
		}
	})
	t.Run("a deployment is not pruned during its rollback", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		old := w.wentLive(p)
		w.wentLive(p)
		other, swept := w.replica(), make(chan error, 1)
		w.tx(func(tx *store.Tx) error {
			if _, err := tx.RollBack(w.ctx, p, old.ID, "key_x"); err != nil {
				return err
			}
			go func() {
				_, err := other.PruneDeployments(w.ctx, p.ID, store.Keep{Productions: 1})
				swept <- err
			}()
			select {
			case err := <-swept:
				t.Errorf("old deployments are pruned during a rollback (error %v)", err)
				swept <- nil
			case <-time.After(100 * time.Millisecond): // pruning waits for the rollback
			}
			return nil
		})
		w.ok(<-swept)
		w.wantLive("swept", p, old.ID)
	})
	t.Run("accepts only successful production deployments of the project", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p, sibling, foreign := w.project(a.ID, "docs.example.com"), w.project(a.ID, "more.example.com"),
			w.project(b.ID, "b.example.com")
		live := w.wentLive(p)
		preview, h := w.started(p, deploy.Preview, "next")
		w.goLive(preview, h)
		failed, h := w.started(p, deploy.Production, "")
		failed.Error = "No."
		w.ok(w.s.FailDeployment(w.ctx, h, failed))
		waiting := w.deployment(p, deploy.Production, "")
		w.wantFault(w.rollBack(p, preview.ID), fault.Conflict, "not_production")
		w.wantFault(w.rollBack(p, failed.ID), fault.Conflict, "wrong_state")
		w.wantFault(w.rollBack(p, waiting.ID), fault.Conflict, "wrong_state")
		w.take("w")
		for _, other := range []string{w.wentLive(sibling).ID, w.wentLive(foreign).ID, "dep_none"} {
			w.wantFault(w.rollBack(p, other), fault.NotFound, "unknown_deployment")
		}
		w.wantLive("refused", p, live.ID)
	})
	t.Run("is undone only by later requests", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		first := w.wentLive(p)
		w.wentLive(p)
		w.clock.advance(time.Second)
		running, slow := w.started(p, deploy.Production, "")
		waiting := w.deployment(p, deploy.Production, "")
		w.clock.advance(time.Second)
		w.ok(w.rollBack(p, first.ID))
		after := w.deployment(p, deploy.Production, "") // at the same time
		if after.ID == waiting.ID {
			t.Fatal("an update joined one that will not go live")
		}
		if again := w.deployment(p, deploy.Production, ""); again.ID != after.ID {
			t.Error("a second update did not join the waiting one")
		}
		w.goLive(running, slow)
		w.wantLive("what ran", p, first.ID)
		h := hold(w.take("w"))
		d, err := w.s.StartDeployment(w.ctx, h, lease)
		w.ok(err)
		if d.ID != waiting.ID {
			t.Fatalf("took %s, want %s", d.ID, waiting.ID)
		}
		w.goLive(d, h)
		w.wantLive("what waited", p, first.ID)
		h = hold(w.take("w"))
		d, err = w.s.StartDeployment(w.ctx, h, lease)
		w.ok(err)
		w.goLive(d, h)
		w.wantLive("what came after", p, after.ID)
	})
	t.Run("remains in force when the clock is set back (J10)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		first := w.wentLive(p)
		w.wentLive(p)
		w.ok(w.rollBack(p, first.ID))
		w.clock.advance(-time.Hour)
		after, h := w.started(p, deploy.Production, "")
		w.goLive(after, h)
		w.wantLive("asked for after", p, after.ID)
		w.ok(w.rollBack(p, first.ID))
		w.wantLive("back", p, first.ID)
	})
	t.Run("locks the project against concurrent publications",
		func(t *testing.T) {
			w := newWorld(t, database)
			o := w.organization("a")
			p := w.project(o.ID, "docs.example.com")
			for range 5 {
				first := w.wentLive(p)
				w.wentLive(p)
				running, slow := w.started(p, deploy.Production, "")
				running.ManifestKey = "manifests/" + running.ID
				w.ok(together(2, func(i int) error {
					if i == 0 {
						return w.s.PublishDeployment(w.ctx, slow, running)
					}
					return w.s.Tx(w.ctx, func(tx *store.Tx) error {
						held, err := tx.HoldProject(w.ctx, o.ID, p.ID)
						if err == nil {
							_, err = tx.RollBack(w.ctx, held, first.ID, "key_x")
						}
						return err
					})
				}))
				w.wantLive("rolled back", p, first.ID)
			}
			other := w.organization("b")
			for _, one := range [][2]string{{other.ID, p.ID}, {o.ID, "prj_none"}} {
				w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
					_, err := tx.HoldProject(w.ctx, one[0], one[1])
					return err
				}), fault.NotFound, "unknown_project")
			}
		})
}

func testDeploymentList(t *testing.T, database func(*testing.T) string) {
	t.Run("lists one kind, newest first, in pages, without logs", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p, other := w.project(a.ID, "docs.example.com"), w.project(a.ID, "more.example.com")
		w.wentLive(other)
		var want []string
		for i := range 5 {
			w.clock.advance(time.Second)
			kind, branch := deploy.Production, ""
			if i%2 == 1 {
				kind, branch = deploy.Preview, "next"
			}
			d, h := w.started(p, kind, branch)
			d.Logs = []deploy.LogLine{{At: w.clock.now(), Message: "m"}}
			w.goLive(d, h)
			want = append([]string{d.ID}, want...)
		}
		list := func(organizationID string, kind deploy.Kind, page store.Page) (ids []string, next string) {
			t.Helper()
			got, next, err := w.s.ListDeployments(w.ctx, organizationID, p.ID, kind, page)
			w.ok(err)
			for _, d := range got {
				if ids = append(ids, d.ID); len(d.Logs) != 0 || d.Trigger != "api" || d.Status != deploy.Success {
					t.Errorf("listed %+v", d)
				}
			}
			return ids, next
		}
		same := func(what string, got []string, want ...string) {
			t.Helper()
			if len(got) != len(want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s: %v, want %v", what, got, want)
				}
			}
		}
		all, next := list(a.ID, "", store.Page{Limit: 5})
		same("all", all, want...)
		if next != "" {
			t.Error("there is a page after the last")
		}
		first, next := list(a.ID, "", store.Page{Limit: 2})
		second, next := list(a.ID, "", store.Page{Limit: 2, Cursor: next})
		third, _ := list(a.ID, "", store.Page{Limit: 2, Cursor: next})
		same("pages", append(append(first, second...), third...), want...)
		previews, _ := list(a.ID, deploy.Preview, store.Page{Limit: 9})
		same("previews", previews, want[1], want[3])
		foreign, _ := list(b.ID, "", store.Page{Limit: 9})
		same("foreign", foreign)
		_, _, err := w.s.ListDeployments(w.ctx, a.ID, p.ID, "", store.Page{Limit: 9, Cursor: "!"})
		w.wantFault(err, fault.Invalid, "invalid_field")
	})
}
