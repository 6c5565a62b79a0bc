package store_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// A worker that looks for a task never locks two organizations at the same time, because two workers that lock them in
// different orders would wait for each other. In this test, a worker finds that no task of the first organization can
// be taken. It then waits for the second organization, which another transaction has locked. By then, the first
// organization must no longer be locked.
func TestTakeTaskLocksOneOrganizationAtATime(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url := server.Database(t)
	st, err := store.Open(ctx, store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	defer func() { _ = st.Close() }()
	_, err = st.Migrate(ctx)
	check(err)
	st.SetCaps(store.Caps{Exports: 2})
	var organizations []string
	for _, name := range []string{"first", "second"} { // the organization that was served first comes first again
		check(st.Tx(ctx, func(tx *store.Tx) error {
			o, err := tx.CreateOrganization(ctx, name, account.PlanPro)
			if err != nil {
				return err
			}
			organizations = append(organizations, o.ID)
			for range 2 {
				if _, err := tx.CreateExport(ctx,
					export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	for _, organization := range organizations { // so that the other tasks are listed
		k, ok, err := st.TakeTask(ctx, "w", time.Minute, false)
		if err != nil || !ok || k.OrganizationID != organization {
			t.Fatalf("took %+v, %v", k, err)
		}
	}
	// A separate connection is used because the store's connections end transactions that are idle for a long time.
	other, err := pgx.Connect(ctx, url)
	check(err)
	defer func() { _ = other.Close(context.Background()) }()
	held, err := other.Begin(ctx)
	check(err)
	_, err = held.Exec(ctx, `SELECT id FROM tasks FOR UPDATE`)
	check(err)
	_, err = held.Exec(ctx, `SELECT id FROM organizations WHERE id = $1 FOR UPDATE`, organizations[1])
	check(err)
	taken := make(chan error, 1)
	go func() {
		_, _, err := st.TakeTask(ctx, "w", time.Minute, false)
		taken <- err
	}()
	watch, err := pgx.Connect(ctx, url)
	check(err)
	defer func() { _ = watch.Close(context.Background()) }()
	for waits := 0; waits == 0; { // until the worker is waiting for the second organization
		check(watch.QueryRow(ctx,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).
			Scan(&waits))
	}
	if _, err := watch.Exec(ctx, `SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE NOWAIT`,
		organizations[0]); err != nil {
		t.Errorf("a worker that waits for one organization has locked another: %v", err)
	}
	check(held.Rollback(ctx))
	check(<-taken)
}

// Code that ends a build locks the build's task and then the build's preview. A preview that is removed to make room
// must therefore not be locked before its task either.
func TestMakingRoomLocksTasksBeforePreviews(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url := server.Database(t)
	st, err := store.Open(ctx, store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	defer func() { _ = st.Close() }()
	_, err = st.Migrate(ctx)
	check(err)
	var p project.Project
	check(st.Tx(ctx, func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(ctx, "a", account.PlanPro)
		if err != nil {
			return err
		}
		p, err = tx.CreateProject(ctx, project.Project{OrganizationID: o.ID, Name: "docs",
			Domains: []string{"docs.example.com"}, Source: project.Source{Path: "/a"}})
		return err
	}))
	build := func(number int64, ref string) (v pullpreview.Preview, h task.Hold) {
		t.Helper()
		check(st.Tx(ctx, func(tx *store.Tx) (err error) {
			v, err = tx.OpenPullPreview(ctx, p, pullpreview.Preview{Number: number, Ref: ref, Commit: "c1"})
			return err
		}))
		k, ok, err := st.TakeTask(ctx, "w", time.Minute, false, task.Deploy)
		if err != nil || !ok || k.ID != v.DeploymentID {
			t.Fatalf("took %+v, %v", k, err)
		}
		return v, task.Hold{TaskID: k.ID, Fence: k.Fence}
	}
	first, running := build(1, "refs/pull/1/head")
	_, err = st.AdmitPullPreview(ctx, running, time.Minute, p.ID, 1)
	check(err)
	_, next := build(2, "refs/pull/2/head")
	other, err := pgx.Connect(ctx, url)
	check(err)
	defer func() { _ = other.Close(context.Background()) }()
	held, err := other.Begin(ctx)
	check(err)
	_, err = held.Exec(ctx, `SELECT id FROM tasks WHERE id = $1 FOR UPDATE`, running.TaskID)
	check(err)
	admitted := make(chan error, 1)
	go func() {
		_, err := st.AdmitPullPreview(ctx, next, time.Minute, p.ID, 1)
		admitted <- err
	}()
	watch, err := pgx.Connect(ctx, url)
	check(err)
	defer func() { _ = watch.Close(context.Background()) }()
	for waits := 0; waits == 0; { // until it is waiting for the task
		check(watch.QueryRow(ctx,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).
			Scan(&waits))
	}
	if _, err := watch.Exec(ctx, `SELECT id FROM pull_previews WHERE id = $1 FOR UPDATE NOWAIT`, first.ID); err != nil {
		t.Errorf("the preview is locked before its task: %v", err)
	}
	check(held.Rollback(ctx))
	check(<-admitted)
}
