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

// J10: machines whose clocks are an hour apart agree on which leases have expired.
func TestWrongClocksDoNotExpireLeases(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	replica := func(ahead time.Duration) *store.Store {
		st, err := store.Open(t.Context(), store.Options{URL: url,
			Now: func() time.Time { return time.Now().Add(ahead) }, IDs: id.Source{Rand: rand.Reader},
			Wake: func(context.Context, any, task.Lane) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = st.Close() })
		if _, err := st.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := st.FollowClock(t.Context()); err != nil {
			t.Fatal(err)
		}
		return st
	}
	all := []*store.Store{replica(0), replica(time.Hour), replica(-time.Hour)}
	for i, st := range all {
		err := st.Tx(t.Context(), func(tx *store.Tx) error {
			o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
			if err != nil {
				return err
			}
			j, err := tx.CreateExport(t.Context(),
				export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"})
			if off := time.Since(j.CreatedAt).Abs(); err == nil && off > time.Minute {
				t.Errorf("replica %d is %s off", i, off)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		taken, ok, err := st.TakeTask(t.Context(), "w", time.Minute, false)
		if err != nil || !ok {
			t.Fatalf("%v %v", ok, err)
		}
		for k, other := range all {
			if lost, err := other.RequeueLapsed(t.Context()); err != nil || len(lost) != 0 {
				t.Errorf("replica %d took %v from replica %d (error %v)", k, lost, i, err)
			}
		}
		if _, err := st.Beat(t.Context(), task.Hold{TaskID: taken.ID, Fence: taken.Fence}, time.Minute); err != nil {
			t.Errorf("replica %d: %v", i, err)
		}
	}
}
