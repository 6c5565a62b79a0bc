package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) deployment(p project.Project, kind deploy.Kind, branch string) (d deploy.Deployment) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(w.ctx, p, kind, branch, "api")
		return err
	})
	return d
}

// started queues a deployment, takes its task and starts it.
func (w *world) started(p project.Project, kind deploy.Kind, branch string) (deploy.Deployment, task.Hold) {
	w.t.Helper()
	queued := w.deployment(p, kind, branch)
	h := hold(w.take("w"))
	d, err := w.s.StartDeployment(w.ctx, h, lease)
	w.ok(err)
	if d.ID != queued.ID || d.Status != deploy.InProgress {
		w.t.Fatalf("started %+v", d)
	}
	return d, h
}

func (w *world) findDeployment(deploymentID string) deploy.Deployment {
	w.t.Helper()
	d, err := w.s.FindDeploymentByID(w.ctx, deploymentID)
	w.ok(err)
	return d
}

func testDeployment(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged, only by its organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p := w.project(a.ID)
		_, err := w.s.FindLastDeployment(w.ctx, p.ID)
		w.wantFault(err, fault.NotFound, "unknown_deployment")
		made := w.deployment(p, deploy.Production, "")
		w.clock.advance(time.Second)
		w.deployment(p, deploy.Preview, "next")
		found, err := w.s.FindDeployment(w.ctx, a.ID, made.ID)
		w.ok(err)
		last, err := w.s.FindLastDeployment(w.ctx, p.ID)
		w.ok(err)
		// empty lists are read back as empty, not nil
		found.Logs, found.Diagnostics, last.Logs, last.Diagnostics = nil, nil, nil, nil
		if !reflect.DeepEqual(found, made) || !reflect.DeepEqual(last, made) {
			t.Errorf("stored %+v\n found %+v\n last %+v", made, found, last)
		}
		_, err = w.s.FindDeployment(w.ctx, b.ID, made.ID)
		w.wantFault(err, fault.NotFound, "unknown_deployment")
	})
	t.Run("a waiting deployment serves later requests for the same branch", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		first := w.deployment(p, deploy.Production, "")
		if again := w.deployment(p, deploy.Production, ""); again.ID != first.ID {
			t.Error("a second deployment waits behind one that has not begun")
		}
		w.clock.advance(time.Second)
		if other := w.deployment(p, deploy.Preview, "next"); other.ID == first.ID {
			t.Error("a preview was taken for production")
		}
		w.take("w")
		if later := w.deployment(p, deploy.Production, ""); later.ID == first.ID {
			t.Error("a request joined a deployment that may have fetched the source already")
		}
	})
	t.Run("other requests do not join a confirmed update", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		confirm := func() (d deploy.Deployment) {
			w.tx(func(tx *store.Tx) (err error) {
				d, err = tx.QueueDeployment(w.ctx, p, deploy.Production, "", deploy.Confirmed)
				return err
			})
			return d
		}
		first := w.deployment(p, deploy.Production, "")
		if d := confirm(); d.ID != first.ID || w.findDeployment(d.ID).Trigger != deploy.Confirmed {
			t.Errorf("a waiting update is confirmed: %+v", d)
		}
		w.clock.advance(time.Second)
		if other := w.deployment(p, deploy.Production, ""); other.ID == first.ID || other.Trigger != "api" {
			t.Errorf("another request was answered with the confirmed update: %+v", other)
		}
	})
	t.Run("a push does not join a rebuild of the live site", func(t *testing.T) {
		for _, trigger := range []string{deploy.Features, deploy.Views} {
			w := newWorld(t, database)
			p := w.project(w.organization("a").ID)
			var again, pushed deploy.Deployment
			w.tx(func(tx *store.Tx) (err error) {
				again, err = tx.QueueDeployment(w.ctx, p, deploy.Production, "", trigger)
				return err
			})
			w.clock.advance(time.Second)
			w.tx(func(tx *store.Tx) (err error) {
				pushed, err = tx.QueueDeployment(w.ctx, p, deploy.Production, "", "webhook")
				return err
			})
			if pushed.ID == again.ID {
				t.Errorf("a push joined an update for %s", trigger)
			}
		}
	})
	t.Run("records its first requester, and none if a code host started it", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		ask := func(trigger, by string) (d deploy.Deployment) {
			w.tx(func(tx *store.Tx) (err error) {
				if d, err = tx.QueueDeployment(w.ctx, p, deploy.Production, "", trigger); err != nil {
					return err
				}
				return tx.SetStarter(w.ctx, d, by)
			})
			return w.findDeployment(d.ID)
		}
		if d := ask("api", "mem_1"); d.StartedBy != "mem_1" {
			t.Errorf("started by %q", d.StartedBy)
		}
		if d := ask("api", "key_2"); d.StartedBy != "mem_1" {
			t.Errorf("a request that joined is noted as its start: %q", d.StartedBy)
		}
		w.take("w")
		w.clock.advance(time.Second)
		if d := ask("webhook", "key_2"); d.StartedBy != "" {
			t.Errorf("a push was started by %q", d.StartedBy)
		}
	})
	t.Run("lists show the first line of its commit message, truncated and cleaned", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.deployment(p, deploy.Production, "")
		h := hold(w.take("w"))
		d, err := w.s.StartDeployment(w.ctx, h, time.Minute)
		w.ok(err)
		d.Change = deploy.Change{Message: strings.Repeat("é", 300) + "\n\nMore.", Author: "A\x00\xff"}
		_, err = w.s.AdvanceDeployment(w.ctx, h, time.Minute, d)
		w.ok(err)
		list, _, err := w.s.ListDeployments(w.ctx, p.OrganizationID, p.ID, "", store.Page{Limit: 1})
		w.ok(err)
		got := list[0].Change
		if n := utf8.RuneCountInString(got.Message); n > 200 || !strings.HasPrefix(got.Message, "éé") ||
			got.Author != "A\uFFFD\uFFFD" {
			t.Errorf("%d characters of %q by %q", n, got.Message, got.Author)
		}
	})
	t.Run("concurrent requests create one deployment", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		got := make([]string, 16)
		w.ok(together(len(got), func(i int) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				d, err := tx.QueueDeployment(w.ctx, p, deploy.Production, "", "webhook")
				got[i] = d.ID
				return err
			})
		}))
		if n := w.count(`SELECT count(*) FROM deployments`); n != 1 {
			t.Errorf("%d deployments wait", n)
		}
	})
	t.Run("a deployment of a deleted project is refused", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, p.ID) })
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.QueueDeployment(w.ctx, p, deploy.Production, "", "poll")
			return err
		}), fault.NotFound, "unknown_project")
	})
	t.Run("a failed deployment keeps its reason and diagnostics", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		w.deployment(p, deploy.Production, "")
		h := hold(w.take("w")) // fails before it has started
		d := w.findDeployment(h.TaskID)
		if err := w.s.FailDeployment(w.ctx, h, d); err == nil {
			t.Error("a failure without a reason was stored (J6)")
		}
		d.Error, d.Diagnostics = "docs.json has an error.", diag.List{{File: "docs.json", Line: 3, Column: 7,
			Severity: diag.Error, Code: "bad_key", Message: "No.", Hint: "Yes."}}
		d.Logs = []deploy.LogLine{{At: w.clock.now().UTC(), Message: "Fetching."}}
		w.ok(w.s.FailDeployment(w.ctx, h, d))
		got := w.findDeployment(d.ID)
		if got.Status != deploy.Failure || got.Error != d.Error || !reflect.DeepEqual(got.Diagnostics, d.Diagnostics) ||
			!reflect.DeepEqual(got.Logs, d.Logs) || got.EndedAt == nil {
			t.Errorf("failed is %+v", got)
		}
		if live, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil ||
			live != (store.Live{ProjectID: p.ID, OrganizationID: p.OrganizationID}) {
			t.Errorf("a failure went live: %+v (error %v)", live, err)
		}
		if list, err := w.s.ListLiveProjects(w.ctx); err != nil || len(list) != 0 {
			t.Errorf("a project without a site is listed: %+v (error %v)", list, err)
		}
	})
	t.Run("the database allows only documented transitions (J4)", testDeploymentEdge(database))
}

// J4: the database itself refuses every status change that is not documented.
func testDeploymentEdge(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		all := []deploy.Status{deploy.Queued, deploy.InProgress, deploy.Success, deploy.Failure}
		legal := map[string]bool{"queued queued": true, "in_progress in_progress": true, "queued in_progress": true,
			"in_progress success": true, "in_progress failure": true}
		for _, from := range all {
			for _, to := range all {
				d, h := w.started(p, deploy.Preview, "b")
				switch d.ManifestKey, d.Error = "m", ""; from {
				case deploy.Queued:
					w.ok(w.s.PublishDeployment(w.ctx, h, d))
					d = w.deployment(p, deploy.Preview, "b")
					w.take("w")
				case deploy.Success:
					w.ok(w.s.PublishDeployment(w.ctx, h, d))
				case deploy.Failure:
					d.Error = "No."
					w.ok(w.s.FailDeployment(w.ctx, h, d))
				}
				err := w.exec(`UPDATE deployments SET status = $2, manifest_key = 'm', error = CASE WHEN $2 = 'failure' THEN 'No.' ELSE '' END,
					ended_at = CASE WHEN $2 IN ('success', 'failure') THEN 1 ELSE NULL END WHERE id = $1`, d.ID,
					string(to))
				if want := legal[fmt.Sprintf("%s %s", from, to)]; (err == nil) != want {
					t.Errorf("%s to %s allowed: %v, want %v (%v)", from, to, err == nil, want, err)
				}
			}
		}
	}
}

func testPublish(t *testing.T, database func(*testing.T) string) {
	t.Run("makes a production deployment live (D4)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com", "alt.example.com")
		d, h := w.started(p, deploy.Production, "")
		d.Commit, d.PageCount, d.Logs = "c0ffee", 4, []deploy.LogLine{{At: w.clock.now().UTC(), Message: "Rendered."}}
		d.Change = deploy.Change{Message: "Fix \x00 it", Author: "A", Compared: true, Removed: []string{"old.mdx"}}
		_, err := w.s.AdvanceDeployment(w.ctx, h, lease, d)
		w.ok(err)
		if got := w.findDeployment(d.ID); !reflect.DeepEqual(got.Change, d.Change) {
			t.Errorf("the change is %+v", got.Change)
		}
		if got := w.findDeployment(d.ID); got.Commit != "c0ffee" || got.PageCount != 4 || len(got.Logs) != 1 ||
			got.Status != deploy.InProgress {
			t.Errorf("advanced is %+v", got)
		}
		if err := w.s.PublishDeployment(w.ctx, h, d); err == nil {
			t.Error("a site without a manifest was published")
		}
		d.ManifestKey, d.SnapshotKey = "manifests/1", "snapshots/1"
		d.Translations = []deploy.Translation{{Language: "fr", Stale: 1, Behind: []deploy.BehindPage{{Path: "fr/a", Source: "a", State: "stale"}}}}
		w.ok(w.s.PublishDeployment(w.ctx, h, d))
		for _, domain := range p.Domains {
			if live, err := w.s.FindLive(w.ctx, domain); err != nil ||
				live != (store.Live{ProjectID: p.ID, OrganizationID: p.OrganizationID, DeploymentID: d.ID,
					ManifestKey: "manifests/1"}) {
				t.Errorf("%s shows %+v (error %v)", domain, live, err)
			}
		}
		got := w.findDeployment(d.ID)
		if got.Status != deploy.Success || got.EndedAt == nil || got.SnapshotKey != "snapshots/1" || !reflect.DeepEqual(got.Translations, d.Translations) ||
			w.findTask(d.ID).State != task.Done {
			t.Errorf("published is %+v", got)
		}
		if list, err := w.s.ListLiveProjects(w.ctx); err != nil || len(list) != 1 || list[0].ID != p.ID || list[0].Name != p.Name ||
			list[0].OrganizationID != p.OrganizationID || list[0].ManifestKey == "" {
			t.Errorf("live projects %+v (error %v)", list, err)
		}
		_, err = w.s.FindLive(w.ctx, "none.example.com")
		w.wantFault(err, fault.NotFound, "unknown_domain")
	})
	t.Run("never replaces the live site with an earlier request", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		older, slow := w.started(p, deploy.Production, "")
		w.clock.advance(time.Second)
		newer, quick := w.started(p, deploy.Production, "")
		older.ManifestKey, newer.ManifestKey = "old", "new"
		w.ok(w.s.PublishDeployment(w.ctx, quick, newer))
		w.ok(w.s.PublishDeployment(w.ctx, slow, older))
		if live, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil || live.ManifestKey != "new" {
			t.Errorf("readers see %+v (error %v)", live, err)
		}
		if got := w.findDeployment(older.ID); got.Status != deploy.Success {
			t.Errorf("the older one is %s", got.Status)
		}
		w.clock.advance(time.Second)
		newest, h := w.started(p, deploy.Production, "")
		newest.ManifestKey = "newest"
		w.ok(w.s.PublishDeployment(w.ctx, h, newest))
		if live, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil || live.ManifestKey != "newest" {
			t.Errorf("readers see %+v (error %v)", live, err)
		}
	})
	t.Run("a preview does not change what the project's domains show", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		d, h := w.started(p, deploy.Preview, "next")
		d.ManifestKey = "preview"
		w.ok(w.s.PublishDeployment(w.ctx, h, d))
		if live, err := w.s.FindLive(w.ctx, "docs.example.com"); err != nil || live.DeploymentID != "" {
			t.Errorf("readers see %+v (error %v)", live, err)
		}
	})
	t.Run("a late worker changes nothing (J3)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		d, late := w.started(p, deploy.Production, "")
		w.clock.advance(lease + time.Second)
		_, err := w.s.RequeueLapsed(w.ctx)
		w.ok(err)
		w.take("new")
		before := w.findDeployment(d.ID)
		d.ManifestKey, d.Commit = "late", "late"
		_, start := w.s.StartDeployment(w.ctx, late, lease)
		_, advance := w.s.AdvanceDeployment(w.ctx, late, lease, d)
		w.wantLost("start", start)
		w.wantLost("advance", advance)
		w.wantLost("publish", w.s.PublishDeployment(w.ctx, late, d))
		d.Error = "late"
		w.wantLost("fail", w.s.FailDeployment(w.ctx, late, d))
		live, err := w.s.FindLive(w.ctx, "docs.example.com")
		if got := w.findDeployment(d.ID); err != nil || live.DeploymentID != "" || !reflect.DeepEqual(got, before) {
			t.Errorf("a late worker made %+v, live %+v (error %v)", got, live, err)
		}
	})
}
