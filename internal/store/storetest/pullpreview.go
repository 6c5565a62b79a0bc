package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// pulled reports a push to a pull request.
func (w *world) pulled(p project.Project, number int64, fork bool) (v pullpreview.Preview) {
	w.t.Helper()
	w.clock.advance(time.Second)
	w.tx(func(tx *store.Tx) (err error) {
		v, err = tx.OpenPullPreview(w.ctx, p, pullpreview.Preview{Number: number, URL: "https://git.example.com/1",
			Ref: "refs/pull/" + string(rune('0'+number)) + "/head", Commit: "c1", Fork: fork})
		return err
	})
	return v
}

// takeBuild takes the next build of a preview.
func (w *world) takeBuild() task.Hold {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
	w.ok(err)
	if !ok {
		w.t.Fatal("no preview waits")
	}
	_, err = w.s.StartDeployment(w.ctx, hold(k), lease)
	w.ok(err)
	return hold(k)
}

// admitted builds a commit that was pushed to a pull request. The pull request changes the docs, and the project may
// have two previews.
func (w *world) admitted(p project.Project, number int64, fork bool) (refused bool) {
	w.t.Helper()
	v := w.pulled(p, number, fork)
	h := w.takeBuild()
	if h.TaskID != v.DeploymentID {
		w.t.Fatalf("took %s, not %s", h.TaskID, v.DeploymentID)
	}
	refused, err := w.s.AdmitPullPreview(w.ctx, h, lease, p.ID, 2)
	w.ok(err)
	if refused {
		w.ok(w.s.SkipPullPreview(w.ctx, h, pullpreview.Limit))
		return true
	}
	w.ok(w.s.PublishDeployment(w.ctx, h, deploy.Deployment{ID: h.TaskID, Kind: deploy.Preview, ManifestKey: "sites/m.json"}))
	return false
}

func (w *world) closePull(p project.Project, number int64) (found bool) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		found, err = tx.ClosePullPreview(w.ctx, p, number, pullpreview.Merged, "req_1")
		return err
	})
	return found
}

func (w *world) findPull(p project.Project, number int64) pullpreview.Preview {
	w.t.Helper()
	v, err := w.s.FindPullPreview(w.ctx, p.ID, number)
	w.ok(err)
	return v
}

// takeReport takes the next report, if one is due.
func (w *world) takeReport() (task.Hold, bool) {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Report)
	w.ok(err)
	return hold(k), ok
}

// built builds the waiting preview.
func (w *world) built(pages ...deploy.ChangedPage) deploy.Deployment {
	w.t.Helper()
	return w.compared(nil, pages...)
}

// compared builds the waiting preview and compares it with its base.
func (w *world) compared(with *deploy.Comparison, pages ...deploy.ChangedPage) deploy.Deployment {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
	w.ok(err)
	if !ok {
		w.t.Fatal("no preview waits")
	}
	d, err := w.s.StartDeployment(w.ctx, hold(k), lease)
	w.ok(err)
	d.Changed, d.Compared, d.ManifestKey = pages, with, "sites/m.json"
	w.ok(w.s.PublishDeployment(w.ctx, hold(k), d))
	return d
}

func testPullPreview(t *testing.T, database func(*testing.T) string) {
	t.Run("is built, rebuilt and removed", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		if p.PullPreviews != project.PullsAll {
			t.Errorf("a new project has previews of %q", p.PullPreviews)
		}
		first := w.pulled(p, 1, false)
		d := w.built(deploy.ChangedPage{Path: "a", How: deploy.PageAdded})
		if d.ID != first.DeploymentID || d.Trigger != deploy.Pull || d.Branch != "refs/pull/1/head" {
			t.Errorf("built %+v", d)
		}
		if v := w.findPull(p, 1); v.Outcome != deploy.Success || v.Wanted != 2 ||
			!slices.Equal(v.Changed, []deploy.ChangedPage{{Path: "a", How: deploy.PageAdded}}) {
			t.Errorf("found %+v", v)
		}
		second := w.pulled(p, 1, false)
		if second.ID != first.ID || second.DeploymentID == d.ID {
			t.Errorf("pushed: %+v", second)
		}
		if _, err := w.s.FindLivePreview(w.ctx, d.ID); err != nil {
			t.Errorf("the preview before is gone while the next one is built: %v", err)
		}
		next := w.built()
		if _, err := w.s.FindLivePreview(w.ctx, d.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the previous preview still exists: %v", err)
		}
		if !w.closePull(p, 1) || w.closePull(p, 1) || w.closePull(p, 2) {
			t.Error("closing reports the wrong result")
		}
		if _, err := w.s.FindLivePreview(w.ctx, next.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the preview is still there: %v", err)
		}
		if v := w.findPull(p, 1); v.State != pullpreview.Merged || v.DeploymentID != "" || w.lastAction(o.ID) != "preview.remove" {
			t.Errorf("closed %+v after %s", v, w.lastAction(o.ID))
		}
		if again := w.pulled(p, 1, false); again.ID != first.ID || w.findPull(p, 1).State != pullpreview.Open {
			t.Errorf("reopened %+v", again)
		}
	})
	t.Run("is skipped when the pull request changes nothing", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		w.pulled(p, 1, false)
		before := w.built()
		pushed := w.pulled(p, 1, false)
		k, _, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
		w.ok(err)
		_, err = w.s.StartDeployment(w.ctx, hold(k), lease)
		w.ok(err)
		w.ok(w.s.SkipPullPreview(w.ctx, hold(k), pullpreview.Unchanged))
		v := w.findPull(p, 1)
		if v.Refused != pullpreview.Unchanged || v.DeploymentID != "" || v.Wanted != 4 ||
			w.lastAction(o.ID) != "preview.remove" {
			t.Errorf("skipped %+v after %s", v, w.lastAction(o.ID))
		}
		for _, id := range []string{before.ID, pushed.DeploymentID} {
			if _, err := w.s.FindDeploymentByID(w.ctx, id); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s is still there: %v", id, err)
			}
		}
		w.pulled(p, 1, false)
		d := w.compared(&deploy.Comparison{Base: "91be", Errors: 1, Lost: 1})
		if v := w.findPull(p, 1); v.DeploymentID != d.ID || v.Compared == nil || v.Compared.Base != "91be" || v.Compared.Lost != 1 {
			t.Errorf("compared %+v", v)
		}
	})
	t.Run("is skipped after its pull request ended or got newer commits", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		first := w.pulled(p, 1, false)
		k, _, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
		w.ok(err)
		_, err = w.s.StartDeployment(w.ctx, hold(k), lease)
		w.ok(err)
		second := w.pulled(p, 1, false)
		w.ok(w.s.SkipPullPreview(w.ctx, hold(k), pullpreview.Unchanged))
		if v := w.findPull(p, 1); v.DeploymentID != second.DeploymentID || v.Refused != "" || second.DeploymentID == first.DeploymentID {
			t.Errorf("newer commits: %+v", v)
		}
		k, _, err = w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
		w.ok(err)
		_, err = w.s.StartDeployment(w.ctx, hold(k), lease)
		w.ok(err)
		w.closePull(p, 1)
		w.ok(w.s.SkipPullPreview(w.ctx, hold(k), pullpreview.Unchanged))
		if v := w.findPull(p, 1); v.State != pullpreview.Merged || v.Refused != "" {
			t.Errorf("ended: %+v", v)
		}
		if n := w.count(`SELECT count(*) FROM deployments`); n != 0 {
			t.Errorf("%d deployments are left", n)
		}
	})
	t.Run("stops building when the pull request is closed", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.pulled(p, 1, false)
		k, _, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Deploy)
		w.ok(err)
		d, err := w.s.StartDeployment(w.ctx, hold(k), lease)
		w.ok(err)
		w.closePull(p, 1)
		if asked, err := w.s.Beat(w.ctx, hold(k), lease); err != nil || !asked {
			t.Errorf("the build is not asked to stop: %v %v", asked, err)
		}
		d.ManifestKey = "sites/m.json"
		w.ok(w.s.PublishDeployment(w.ctx, hold(k), d)) // it may be too late to stop the build
		if _, err := w.s.FindLivePreview(w.ctx, d.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("a preview appeared after the end: %v", err)
		}
	})
	t.Run("replaces previews of forks first, and refuses forks without room", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.admitted(p, 1, false)
		w.admitted(p, 2, true)
		w.pulled(p, 6, false) // a change only to code: it takes no room until its build finds that out
		w.takeBuild()
		w.pulled(p, 1, false) // updated later than the fork's preview; needs no additional room
		w.takeBuild()
		if w.findPull(p, 2).DeploymentID == "" {
			t.Errorf("a pull request that may change nothing displaced another preview")
		}
		if w.admitted(p, 3, false) || w.findPull(p, 2).Refused != pullpreview.Limit || w.findPull(p, 2).DeploymentID != "" ||
			w.findPull(p, 1).DeploymentID == "" || w.findPull(p, 6).DeploymentID == "" {
			t.Errorf("fork: %+v", w.findPull(p, 2))
		}
		if !w.admitted(p, 4, true) || w.findPull(p, 1).DeploymentID == "" || w.findPull(p, 3).DeploymentID == "" {
			t.Error("a fork replaced another")
		}
		if w.admitted(p, 5, false) || w.findPull(p, 1).Refused != pullpreview.Limit || w.findPull(p, 3).DeploymentID == "" {
			t.Errorf("the oldest was not removed: %+v", w.findPull(p, 1))
		}
		w.closePull(p, 3)
		if w.admitted(p, 4, true) {
			t.Error("there is room, but a fork is refused")
		}
		if w.pulled(p, 3, false); w.findPull(p, 4).DeploymentID == "" {
			t.Error("a pull request that was reopened took room before it was admitted")
		}
	})
	t.Run("a build that fails before it is admitted takes no room", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.admitted(p, 1, false)
		w.admitted(p, 2, false)
		w.pulled(p, 3, false)
		h := w.takeBuild()
		w.ok(w.s.FailDeployment(w.ctx, h, deploy.Deployment{ID: h.TaskID, Error: "The branch is gone."}))
		if v := w.findPull(p, 3); v.Outcome != deploy.Failure {
			t.Fatalf("failed %+v", v)
		}
		if w.admitted(p, 1, false) || w.findPull(p, 2).DeploymentID == "" || w.findPull(p, 3).DeploymentID == "" {
			t.Errorf("a failed build displaced another preview: %+v", w.findPull(p, 2))
		}
	})
	t.Run("is admitted only by the worker that builds its newest commit", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.admitted(p, 1, false)
		w.admitted(p, 2, false)
		w.pulled(p, 3, false)
		replaced := w.takeBuild()
		w.pulled(p, 3, false)
		if refused, err := w.s.AdmitPullPreview(w.ctx, replaced, lease, p.ID, 2); refused || err != nil {
			t.Errorf("refused %v, %v", refused, err)
		}
		late := w.takeBuild()
		w.clock.advance(2 * lease)
		if _, err := w.s.RequeueLapsed(w.ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := w.s.AdmitPullPreview(w.ctx, late, lease, p.ID, 2); !errors.As(err, &task.Lost{}) {
			t.Errorf("a worker without its lease admits a preview: %v", err)
		}
		for _, number := range []int64{1, 2} {
			if v := w.findPull(p, number); v.DeploymentID == "" {
				t.Errorf("removed %+v", v)
			}
		}
	})
	t.Run("waiting changes are reported once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		w.pulled(p, 1, false)
		w.pulled(p, 1, false)
		w.built()
		h, ok := w.takeReport()
		if v := w.findPull(p, 1); !ok || h.TaskID != v.ID || v.Wanted != 3 {
			t.Fatalf("report %+v %v of %+v", h, ok, v)
		}
		told := w.findPull(p, 1)
		w.closePull(p, 1) // while the report is being sent
		if _, ok := w.takeReport(); ok {
			t.Fatal("two reports of one pull request run at once")
		}
		told.CommentID = "c12"
		w.ok(w.s.EndReport(w.ctx, h, told, ""))
		h, ok = w.takeReport()
		if v := w.findPull(p, 1); !ok || v.Sent != 3 || v.Wanted != 4 || v.CommentID != "c12" {
			t.Fatalf("no report of the end: %v %+v", ok, v)
		}
		told = w.findPull(p, 1)
		w.ok(w.s.PostponeReport(w.ctx, h, told, "Away.", time.Minute))
		if _, ok := w.takeReport(); ok {
			t.Fatal("the report does not wait")
		}
		w.clock.advance(2 * time.Minute)
		h, ok = w.takeReport()
		if v := w.findPull(p, 1); !ok || v.Attempts != 1 || v.Error != "Away." {
			t.Fatalf("the report is lost: %v %+v", ok, v)
		}
		told = w.findPull(p, 1)
		w.ok(w.s.EndReport(w.ctx, h, told, "The key is refused."))
		if v := w.findPull(p, 1); v.Attempts != 0 || v.Error != "The key is refused." || w.lastAction(o.ID) != "preview.report_fail" {
			t.Errorf("ended %+v after %s", v, w.lastAction(o.ID))
		}
		if _, ok := w.takeReport(); ok {
			t.Error("a report without changes was taken")
		}
	})
	t.Run("is kept while it is open, and deleted with its project", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		v := w.pulled(p, 1, true)
		w.built()
		w.clock.advance(90 * 24 * time.Hour)
		keep := store.Keep{Productions: 1, Previews: time.Hour}
		if stay, err := w.s.PruneDeployments(w.ctx, p.ID, keep); err != nil || len(stay) != 1 || stay[0].ID != v.DeploymentID {
			t.Errorf("%+v stay (error %v)", stay, err)
		}
		if found, err := w.s.FindPullPreviewByRef(w.ctx, p.ID, "refs/pull/1/head"); err != nil || !found.Fork {
			t.Errorf("%+v, %v", found, err)
		}
		w.closePull(p, 1)
		w.clock.advance(2 * time.Hour)
		if _, err := w.s.PruneDeployments(w.ctx, p.ID, keep); err != nil {
			t.Fatal(err)
		}
		_, err := w.s.FindPullPreview(w.ctx, p.ID, 1)
		w.wantFault(err, fault.NotFound, "unknown_preview")
		h, ok := w.takeReport()
		if !ok {
			t.Fatal("no report is left")
		}
		w.ok(w.s.EndReport(w.ctx, h, pullpreview.Preview{}, ""))
		w.pulled(p, 2, true)
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, p.OrganizationID, p.ID) })
		if n := w.count(`SELECT count(*) FROM pull_previews`); n != 0 {
			t.Errorf("%d previews are left", n)
		}
	})
}
