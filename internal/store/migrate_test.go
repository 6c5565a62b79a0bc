package store_test

import (
	"context"
	"crypto/rand"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// D2: a database from the first release is filled and upgraded, and keeps every row.
func TestUpgradeKeepsData(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			s, ctx := open(t, database(t)), t.Context()
			if err := s.MigrateTo(ctx, 1); err != nil {
				t.Fatal(err)
			}
			var o account.Organization
			if err := s.Tx(ctx, func(tx *store.Tx) (err error) {
				o, err = tx.CreateOrganization(ctx, "a", account.PlanPro)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			created := event.New(o.ID, "operator", "org.create", o.ID, "", time.UnixMicro(1_700_000_000_000_000).UTC(),
				map[string]string{})
			created.ID = "evt_first"
			created = created.Chain(1, "")
			// As the first release wrote it: one row in each table, without the columns that were added later.
			j := export.Job{ID: "se_first", CreatedAt: time.UnixMicro(1_700_000_000_000_000).UTC()}
			for _, text := range []string{
				`INSERT INTO events (id, organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash) VALUES ('evt_first', '` + o.ID + `', 1, 'operator', 'org.create', '` + o.ID + `', '', '{}', 1700000000000000, '', '` + created.Hash + `')`,
				`UPDATE organizations SET event_seq = 1, event_hash = '` + created.Hash + `'`,
				`INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, created_at, updated_at) VALUES ('se_first', '` + o.ID + `', 'prj_x', 'docs.example.com', '', '[]', 'queued', 1700000000000000, 1700000000000000)`,
				`INSERT INTO tasks (id, kind, organization_id, state, created_at) VALUES ('se_first', 'export', '` +
					o.ID + `', 'queued', 1700000000000000)`,
				`INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, progress, stage, bundles, created_at, updated_at) VALUES ('se_old', '` + o.ID + `', 'prj_x', 'docs.example.com', '', '[]', 'completed', 100, '', '[{"format":"zip","key":"k","size":3,"sha256":"x"}]', 1700000000000000, 1700000001000000)`,
				`INSERT INTO projects (id, organization_id, name, source_path, repository, branch, credential, docs_folder, created_at, updated_at) VALUES ('prj_x', '` + o.ID + `', 'x', '', 'https://h.example/r', '', '', '', 1, 1)`,
				`INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, model, created_at, updated_at) VALUES ('aj_old', '` + o.ID + `', 'prj_x', 'failed', 'https://h.example/r', 'm', 1700000000000000, 1700000001000000)`,
				`INSERT INTO members (id, organization_id, email, role, created_at) VALUES ('mem_old', '` + o.ID +
					`', 'owner@example.com', 'owner', 1700000000000000)`,
			} {
				if err := execute(ctx, s, text); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := s.Migrate(ctx); err != nil || n == 0 {
				t.Fatalf("%d migrations were applied (error %v)", n, err)
			}
			if found, err := s.FindExport(ctx, o.ID, j.ID); err != nil || found.CreatedAt != j.CreatedAt {
				t.Errorf("the export is %+v (error %v)", found, err)
			}
			old, err := s.FindExport(ctx, o.ID, "se_old")
			if b, missing := old.Bundle(export.Zip); err != nil || missing != nil || b.Key != "k" ||
				old.Stage != export.StageDone || !old.EndedAt.Equal(old.UpdatedAt) {
				t.Errorf("the completed export is %+v (errors %v, %v)", old, err, missing)
			}
			if list, err := s.ListEvents(ctx, o.ID, 0, 10); err != nil || len(list) != 1 || !list[0].Verify() {
				t.Errorf("the events are %+v (error %v)", list, err)
			}
			if err := s.Tx(ctx, func(tx *store.Tx) error { // the job has neither a record nor a task
				j, err := tx.SayToAgentJob(ctx, o.ID, "prj_x", "aj_old", agentjob.Entry{Text: "Go on."})
				if j.Status != agentjob.Active || j.Round != 2 {
					t.Errorf("the old agent job is %+v", j)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
			// The newer schema's rules apply to the older rows too.
			if k, ok, err := s.TakeTask(ctx, "w", time.Minute, false); err != nil || !ok || k.ID != j.ID {
				t.Fatalf("took %+v (error %v)", k, err)
			}
			if err := execute(ctx, s, `DELETE FROM events`); err == nil {
				t.Error("an old event could be removed")
			}
			checkOldPeople(t, s, o)
		})
	}
}

// checkOldPeople checks that members from the first release have no account yet and can be invited to create one, and
// that old projects count as never rolled back, so that updates can join deployments and go live as before.
func checkOldPeople(t *testing.T, s *store.Store, o account.Organization) {
	t.Helper()
	ctx := t.Context()
	if m, err := s.FindColleague(ctx, o.ID, "mem_old"); err != nil || m.Role != account.RoleOwner || m.PersonID != "" ||
		m.SeenAt != nil {
		t.Errorf("the old member is %+v (error %v)", m, err)
	}
	p, err := s.FindProject(ctx, o.ID, "prj_x")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tx(ctx, func(tx *store.Tx) error {
		if _, err := tx.CreateInvitation(ctx, account.Invitation{OrganizationID: o.ID, Kind: account.InviteJoin,
			Email: "owner@example.com", Role: account.RoleOwner,
			Hash: "h", ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
			return err
		}
		first, err := tx.QueueDeployment(ctx, p, deploy.Production, "", "api")
		if err != nil {
			return err
		}
		second, err := tx.QueueDeployment(ctx, p, deploy.Production, "", "api")
		if first.ID != second.ID {
			t.Error("an update of an old project did not join the waiting one")
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func execute(ctx context.Context, s *store.Store, text string) error {
	if pool := s.Postgres(); pool != nil {
		_, err := pool.Exec(ctx, text)
		return err
	}
	_, err := s.SQLite().ExecContext(ctx, text)
	return err
}

// TestMigrationNumbersAreUnique checks that no number is in both the shared folder and an engine's folder.
func TestMigrationNumbersAreUnique(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		seen := map[string]string{}
		for _, folder := range []string{"common", engine} {
			files, err := fs.Glob(os.DirFS("migrations"), folder+"/*.sql")
			if err != nil || len(files) == 0 {
				t.Fatalf("%s has no migrations (error %v)", folder, err)
			}
			for _, f := range files {
				number, _, _ := strings.Cut(strings.TrimPrefix(f, folder+"/"), "_")
				if other, taken := seen[number]; taken {
					t.Errorf("%s and %s have the same number", other, f)
				}
				seen[number] = f
			}
		}
	}
}
