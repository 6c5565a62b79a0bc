package store_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// J3: a worker that freezes inside a transaction while it has locked its task's row still loses the task.
func TestWorkerFrozenInTransactionLosesItsTask(t *testing.T) {
	t.Parallel()
	at := time.Now()
	st, err := store.Open(t.Context(),
		store.Options{URL: server.Database(t), Now: func() time.Time { return at }, IDs: id.Source{Rand: rand.Reader},
			Wake: func(context.Context, any, task.Lane) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = st.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
		if err != nil {
			return err
		}
		_, err = tx.CreateExport(t.Context(),
			export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	taken, ok, err := st.TakeTask(t.Context(), "frozen", time.Second, false)
	if err != nil || !ok {
		t.Fatalf("%v %v", ok, err)
	}
	frozen, err := st.Postgres().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = frozen.Rollback(context.Background()) }()
	if _, err := frozen.Exec(t.Context(), `UPDATE tasks SET lease_until = lease_until WHERE id = $1`,
		taken.ID); err != nil {
		t.Fatal(err)
	}
	at = at.Add(time.Minute) // the lease has expired
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	requeued, err := st.RequeueLapsed(ctx)
	if err != nil || len(requeued) != 1 || requeued[0] != taken.ID {
		t.Fatalf("requeued %v: %v", requeued, err)
	}
}
