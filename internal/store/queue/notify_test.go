package queue_test

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/store/queue"
)

// On PostgreSQL each wake-up notifies the workers of all processes, also one right after another, which the library
// itself would leave to the next poll. TestListenerPassesOnWakeUpsOfItsProcess is the counterpart for SQLite, which has
// no notifications.
func TestEachWakeUpNotifies(t *testing.T) {
	st := openStore(t, server.Database(t))
	conn, err := st.Postgres().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `LISTEN "public.river_insert"`); err != nil {
		t.Fatal(err)
	}
	q := open(t, st, queue.Options{})
	for range 5 {
		if err := wakeOnce(t, st, q, false, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for i := range 5 {
		n, err := conn.Conn().WaitForNotification(limit)
		if err != nil {
			t.Fatalf("notification %d: %v", i+1, err)
		}
		if want := `{"queue": "work"}`; n.Payload != want {
			t.Errorf("notification %d is %s, want %s", i+1, n.Payload, want)
		}
	}
}
