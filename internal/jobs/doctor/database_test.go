package doctor

import (
	"regexp"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// server is the database server of this package's tests.
var server *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &server) }

// A machine with a wrong clock reports the same about chores as other machines, because it uses the database's clock.
func TestQueueCheckUsesTheDatabaseClock(t *testing.T) {
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
		if _, err := st.ClaimChore(t.Context(), "poll", "proc_a", time.Hour); err != nil {
			t.Fatal(err)
		}
		found := Database{Store: st}.LookAtQueue(t.Context())
		if said := regexp.MustCompile(`proc_a ran the chore poll \d{1,2}s ago`); worst(found) != OK || len(found) != 1 ||
			!said.MatchString(found[0].Text) {
			t.Errorf("with a clock that is %s ahead: %+v", ahead, found)
		}
	}
}
