package doctor

import (
	"context"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// server is the database server of this package's tests.
var server *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &server) }

// A machine whose clock is wrong sees the same leader as the others: a lead ends by the database's clock.
func TestLeaderCheckUsesTheDatabaseClock(t *testing.T) {
	for _, ahead := range []time.Duration{time.Hour, -time.Hour} {
		now := func() time.Time { return time.Now().Add(ahead) }
		st, err := store.Open(t.Context(), store.Options{URL: server.Database(t), Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = st.Close() })
		if _, err := st.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now() // the database's clock, which runs on this machine
		asked := false
		found := Database{Store: st, Now: now, Leader: func(_ context.Context, at time.Time) (string, error) {
			asked = true
			if at.After(began.Add(10*time.Minute)) || at.Before(began.Add(-10*time.Minute)) {
				t.Errorf("a clock that is %s ahead looks for a leader at %s, and it is %s", ahead, at, began)
			}
			return "proc_a", nil
		}}.LookAtQueue(t.Context())
		if !asked || worst(found) != OK {
			t.Errorf("%+v", found)
		}
	}
}
