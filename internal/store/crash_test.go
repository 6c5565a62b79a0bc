package store_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// crashChild as first argument makes the test binary a process that writes until it is killed.
const crashChild = "write-until-killed"

// writeUntilKilled repeatedly commits an export with its task and an event. It prints each id once it is committed.
func writeUntilKilled(url string) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	fail(err)
	list, err := s.ListOrganizations(ctx)
	fail(err)
	for {
		var j export.Job
		fail(s.Tx(ctx, func(tx *store.Tx) (err error) {
			if j, err = tx.CreateExport(ctx, export.Job{OrganizationID: list[0].ID}); err != nil {
				return err
			}
			return tx.Record(ctx, event.New(list[0].ID, "system", "export.create", j.ID, "", time.Now(), nil))
		}))
		fmt.Println(j.ID)
	}
}

// D1, J1: a process that writes to the same database is repeatedly killed with -9 at random points. Every write that
// was reported as committed is stored, and every export has its task and event, and vice versa.
func TestKilledProcessLeavesCompleteTransactions(t *testing.T) {
	kills := tier.Choose(4, 12)
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			url, ctx := database(t), t.Context()
			s := open(t, url)
			if _, err := s.Migrate(ctx); err != nil {
				t.Fatal(err)
			}
			var o account.Organization
			if err := s.Tx(ctx, func(tx *store.Tx) (err error) {
				o, err = tx.CreateOrganization(ctx, "a", account.PlanPro)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for range kills {
				for _, exportID := range writeAndKill(t, url, 1+mathrand.IntN(25)) {
					if _, err := s.FindExport(ctx, o.ID, exportID); err != nil {
						t.Errorf("%s was committed but is missing: %v", exportID, err)
					}
				}
				wantWhole(t, s, o.ID)
			}
		})
	}
}

// writeAndKill lets a child commit at least n times, kills it, and returns the ids that it reported as committed.
func writeAndKill(t *testing.T, url string, n int) (committed []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], crashChild, url)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for len(committed) < n && lines.Scan() {
		committed = append(committed, lines.Text())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // what the child printed before the signal reached it
		if id.Has(id.Export, lines.Text()) {
			committed = append(committed, lines.Text())
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err == nil || len(committed) < n {
		t.Fatalf("the child ended by itself after %d commits", len(committed))
	}
	return committed
}

func wantWhole(t *testing.T, s *store.Store, organizationID string) {
	t.Helper()
	ctx := t.Context()
	queued, running, err := s.CountTasks(ctx)
	if err != nil {
		t.Fatal(err)
	}
	exports, _, err := s.ListExports(ctx, organizationID, "", store.Page{Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.ListEvents(ctx, organizationID, 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(exports) != queued+running || len(exports) != len(events) {
		t.Errorf("%d exports, %d tasks, %d events", len(exports), queued+running, len(events))
	}
	for i, e := range events {
		if e.Sequence != int64(i+1) || !e.Verify() {
			t.Errorf("the chain breaks at %d", i+1)
		}
	}
}
