package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

// published creates a successful deployment and advances the clock by an hour.
func (w *world) published(d deploy.Kind, organizationID, projectID, branch string) string {
	w.t.Helper()
	p, err := w.s.FindProject(w.ctx, organizationID, projectID)
	w.ok(err)
	one, h := w.started(p, d, branch)
	one.ManifestKey = "m"
	w.ok(w.s.PublishDeployment(w.ctx, h, one))
	w.clock.advance(time.Hour)
	return one.ID
}

func testPrune(t *testing.T, database func(*testing.T) string) {
	t.Run("keeps live, newest, recent and unfinished deployments", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, other := w.project(o.ID, "docs.example.com"), w.project(o.ID)
		theirs := w.published(deploy.Production, o.ID, other.ID, "")
		oldest := w.published(deploy.Production, o.ID, p.ID, "")
		oldPreview := w.published(deploy.Preview, o.ID, p.ID, "x")
		live := w.published(deploy.Production, o.ID, p.ID, "")
		var failed []string
		for range 3 { // failures after the last success must not remove the live deployment
			d, h := w.started(p, deploy.Production, "")
			d.Error = "No."
			w.ok(w.s.FailDeployment(w.ctx, h, d))
			w.clock.advance(time.Hour)
			failed = append(failed, d.ID)
		}
		youngPreview := w.published(deploy.Preview, o.ID, p.ID, "x")
		running, _ := w.started(p, deploy.Preview, "y")
		w.clock.advance(time.Hour)

		stay, err := w.s.PruneDeployments(w.ctx, p.ID, store.Keep{Productions: 1, Failures: 2, Previews: 3 * time.Hour})
		w.ok(err)
		got := map[string]bool{}
		for _, d := range stay {
			got[d.ID] = true
		}
		w.findTask(oldest) // stays until PruneTasks
		w.ok(w.s.PruneTasks(w.ctx))
		want := map[string]bool{live: true, failed[1]: true, failed[2]: true, youngPreview: true, running.ID: true}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("stayed %v\n want %v", got, want)
		}
		if l, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil || l.DeploymentID != live ||
			l.ManifestKey == "" {
			t.Errorf("readers see %+v (error %v)", l, err)
		}
		for _, gone := range []string{oldest, oldPreview, failed[0]} {
			if w.count(`SELECT count(*) FROM deployments WHERE id = $1`, gone)+
				w.count(`SELECT count(*) FROM tasks WHERE id = $1`, gone) != 0 {
				t.Errorf("%s left a trace", gone)
			}
		}
		w.findDeployment(theirs)
		w.findTask(running.ID)
	})
	t.Run("keeps rollback targets, however many updates failed since", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		var good []string
		for range 5 {
			good = append(good, w.published(deploy.Production, o.ID, p.ID, ""))
		}
		w.tx(func(tx *store.Tx) error { // the live one is the oldest: rolled back to, then 20 bad pushes
			_, err := tx.RollBack(w.ctx, p, good[0], "key_x")
			return err
		})
		for range 20 {
			d, h := w.started(p, deploy.Production, "")
			d.Error = "No."
			w.ok(w.s.FailDeployment(w.ctx, h, d))
			w.clock.advance(time.Hour)
		}
		stay, err := w.s.PruneDeployments(w.ctx, p.ID, store.Keep{Productions: 3, Previews: time.Hour})
		w.ok(err)
		got := map[string]bool{}
		for _, d := range stay {
			got[d.ID] = true
		}
		for i, id := range good {
			if want := i != 1; got[id] != want {
				t.Errorf("success %d stayed: %v", i, got[id])
			}
		}
		if n := w.count(`SELECT count(*) FROM deployments WHERE status = 'failure'`); n != 1 {
			t.Errorf("%d failures stayed; polling needs the newest", n)
		}
	})
	t.Run("does not lock a project that has nothing to prune", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		live := w.wentLive(p)
		other := w.replica()
		w.tx(func(tx *store.Tx) error { // a writer, which on SQLite excludes all other writers
			if _, err := tx.HoldProject(w.ctx, p.OrganizationID, p.ID); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
			defer cancel()
			stay, err := other.PruneDeployments(ctx, p.ID, store.Keep{Productions: 1})
			if err != nil || len(stay) != 1 || stay[0].ID != live.ID {
				t.Errorf("%+v (error %v)", stay, err)
			}
			return nil
		})
	})
}
