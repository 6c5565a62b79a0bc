package storetest

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func testProject(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged, only by its organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		made := w.project(a.ID, "docs.example.com", "alt.example.com", "api.example.com")
		for name, find := range map[string]func() (project.Project, error){
			"by organization": func() (project.Project, error) { return w.s.FindProject(w.ctx, a.ID, made.ID) },
			"by id":           func() (project.Project, error) { return w.s.FindProjectByID(w.ctx, made.ID) },
			"by domain": func() (project.Project, error) {
				return w.s.FindProjectByDomain(w.ctx, "alt.example.com")
			},
		} {
			if found, err := find(); err != nil || !reflect.DeepEqual(found, made) {
				t.Errorf("%s: stored %+v\n found %+v (error %v)", name, made, found, err)
			}
		}
		if !id.Has(id.Project, made.ID) || made.HookVersion != 1 || made.LiveID != "" {
			t.Errorf("a new project is %+v", made)
		}
		_, foreign := w.s.FindProject(w.ctx, b.ID, made.ID)
		_, unknown := w.s.FindProject(w.ctx, b.ID, "prj_none")
		w.wantFault(foreign, fault.NotFound, "unknown_project")
		if !reflect.DeepEqual(foreign, unknown) {
			t.Errorf("error for another organization's project: %v, for a missing one: %v", foreign, unknown)
		}
	})
	t.Run("is updated only by its organization", testProjectUpdate(database))
	t.Run("deleting it keeps its exports and stops its deployments", testProjectDelete(database))
}

func testProjectUpdate(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p := w.project(a.ID, "docs.example.com", "old.example.com")
		update := func(change project.Project) (out project.Project, err error) {
			err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
				out, err = tx.UpdateProject(w.ctx, change)
				return err
			})
			return out, err
		}
		w.clock.advance(time.Minute)
		want := p
		want.Name, want.Source, want.DocsFolder, want.HookVersion = "new", project.Source{Path: "/srv/docs"}, "", 2
		want.Domains = []string{"new.example.com", "docs.example.com"}
		got, err := update(want)
		w.ok(err)
		found, err := w.s.FindProject(w.ctx, a.ID, p.ID)
		w.ok(err)
		if !reflect.DeepEqual(got, found) || !found.UpdatedAt.After(p.UpdatedAt) ||
			!found.CreatedAt.Equal(p.CreatedAt) {
			t.Errorf("update returned %+v\n found %+v", got, found)
		}
		want.UpdatedAt = found.UpdatedAt
		if !reflect.DeepEqual(found, want) {
			t.Errorf("found %+v\n want %+v", found, want)
		}
		_, err = w.s.FindProjectByDomain(w.ctx, "old.example.com")
		w.wantFault(err, fault.NotFound, "unknown_project")

		stolen := want
		stolen.OrganizationID, stolen.Name, stolen.Domains = b.ID, "stolen", nil
		_, err = update(stolen)
		w.wantFault(err, fault.NotFound, "unknown_project")
		if found, err := w.s.FindProject(w.ctx, a.ID, p.ID); err != nil || !reflect.DeepEqual(found, want) {
			t.Errorf("another organization changed it to %+v (error %v)", found, err)
		}
	}
}

func testProjectDelete(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p := w.project(a.ID, "docs.example.com")
		j := w.export(a.ID)
		running := w.deployment(p, deploy.Production, "")
		w.clock.advance(time.Second)
		preview := w.deployment(p, deploy.Preview, "next")
		for w.findTask(running.ID).State != task.Running {
			w.take("w") // the export is older and comes first
		}
		remove := func(organizationID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, organizationID, p.ID) })
		}
		w.wantFault(remove(b.ID), fault.NotFound, "unknown_project")
		if w.findTask(running.ID).CancelAsked {
			t.Error("another organization stopped the deployment")
		}
		w.ok(remove(a.ID))
		w.wantFault(remove(a.ID), fault.NotFound, "unknown_project")

		_, byDomain := w.s.FindProjectByDomain(w.ctx, "docs.example.com")
		_, live := w.s.FindLive(w.ctx, "docs.example.com")
		_, gone := w.s.FindDeployment(w.ctx, a.ID, running.ID)
		w.wantFault(byDomain, fault.NotFound, "unknown_project")
		w.wantFault(live, fault.NotFound, "unknown_domain")
		w.wantFault(gone, fault.NotFound, "unknown_deployment")
		if got := w.findExport(j.ID); got.ID != j.ID {
			t.Errorf("the export was deleted with its project: %+v", got)
		}
		if k := w.findTask(running.ID); !k.CancelAsked || k.State != task.Running {
			t.Errorf("the running deployment was not asked to stop: %+v", k)
		}
		if k := w.findTask(preview.ID); k.State != task.Done {
			t.Errorf("the waiting deployment still waits for a worker that will not find it: %+v", k)
		}
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateProject(w.ctx,
				project.Project{OrganizationID: b.ID, Name: "x", Domains: []string{"docs.example.com"}})
			return err
		}), fault.Conflict, "domain_taken")
		w.clock.advance(project.DefaultReserve)
		w.project(b.ID, "docs.example.com") // the domain is free again
	}
}

func testPoll(t *testing.T, database func(*testing.T) string) {
	t.Run("takes due Git projects with all fields, longest unpolled first", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		git := w.project(o.ID, "docs.example.com")
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateProject(w.ctx,
				project.Project{OrganizationID: o.ID, Name: "folder", Source: project.Source{Path: "/srv"}})
			return err
		})
		list, err := w.s.TakeDuePolls(w.ctx, w.clock.now(), 10)
		w.ok(err)
		if len(list) != 1 || !reflect.DeepEqual(list[0], git) {
			t.Fatalf("due: %+v\n want %+v", list, git)
		}
		for wait, want := range []int{0, 1} {
			w.clock.advance(time.Duration(wait) * 10 * time.Minute)
			list, err := w.s.TakeDuePolls(w.ctx, w.clock.now().Add(-5*time.Minute), 10)
			if err != nil || len(list) != want {
				t.Errorf("after %d0 minutes: %d due, want %d (error %v)", wait, len(list), want, err)
			}
		}
	})
	t.Run("finds them by an index, even among many that are not due", func(t *testing.T) {
		w := newWorld(t, database)
		var plan []string
		explain := `SELECT id FROM projects p WHERE p.repository <> '' AND p.polled_at < 5 ORDER BY p.polled_at LIMIT 50`
		if pool := w.s.Postgres(); pool != nil {
			tx, err := pool.Begin(w.ctx)
			w.ok(err)
			defer func() { _ = tx.Rollback(context.Background()) }()
			_, err = tx.Exec(w.ctx, `SET LOCAL enable_seqscan = off`) // otherwise an empty table is read completely
			w.ok(err)
			found, err := tx.Query(w.ctx, `EXPLAIN `+explain)
			w.ok(err)
			plan, err = pgx.CollectRows(found, pgx.RowTo[string])
			w.ok(err)
		} else {
			found, err := w.s.SQLite().QueryContext(w.ctx, `EXPLAIN QUERY PLAN `+explain)
			w.ok(err)
			defer func() { _ = found.Close() }()
			for found.Next() {
				var a, b, c int
				var line string
				w.ok(found.Scan(&a, &b, &c, &line))
				plan = append(plan, line)
			}
		}
		if text := strings.Join(plan, "; "); !strings.Contains(text, "projects_by_poll") {
			t.Error(text)
		}
	})
	t.Run("each project is polled by one of two replicas", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		const projects = 40
		for range projects {
			w.project(o.ID)
		}
		replicas := []*store.Store{w.s, w.replica()}
		taken := make([][]project.Project, 8)
		w.ok(together(len(taken), func(i int) error {
			for {
				list, err := replicas[i%2].TakeDuePolls(w.ctx, w.clock.now(), 3)
				if err != nil || len(list) == 0 {
					return err
				}
				taken[i] = append(taken[i], list...)
			}
		}))
		seen := map[string]bool{}
		for _, list := range taken {
			for _, p := range list {
				if seen[p.ID] {
					t.Errorf("%s was polled twice", p.ID)
				}
				seen[p.ID] = true
			}
		}
		if len(seen) != projects {
			t.Errorf("%d of %d projects were polled", len(seen), projects)
		}
	})
}
