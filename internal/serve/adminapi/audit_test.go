package adminapi_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// onlyReads lists the operations that change nothing although they are not GET requests: their input is too long for a
// URL.
var onlyReads = map[string]bool{"searchSite": true, "readSitePage": true, "askAssistant": true, "askAssistantV1": true}

// D8: every change adds an event to the hash chain of the organization it affects, with the key or member as its
// actor, and the chain is still valid afterwards.
func TestEveryChangeIsRecorded(t *testing.T) {
	for _, r := range adminapi.Routes() {
		if r.Method == http.MethodGet {
			continue
		}
		for _, caller := range []string{"key", "member"} {
			t.Run(r.OperationID+" by a "+caller, func(t *testing.T) {
				w, x := newWorldOf(t, account.PlanEnterprise, nil)
				a, actor := samples[r.OperationID].ask(x).by(r, x.key), x.keyID
				switch {
				case r.OperationID == "reportLeakedKeys":
					a.key, actor = "", "secret-scanning"
				case r.Scope == "":
					a.key, actor = "", "webhook"
				case caller == "member":
					a, actor = a.as(x.members["owner"]), x.members["owner"].ID
				}
				before, _, err := w.store.EndOfEvents(t.Context(), x.org.ID)
				must(t, err)
				w.do(t, a).want(t, samples[r.OperationID].ok)
				added, err := w.store.ListEvents(t.Context(), x.org.ID, before, 100)
				must(t, err)
				if (len(added) == 0) != onlyReads[r.OperationID] {
					t.Errorf("%d events were added", len(added))
				}
				for _, e := range added {
					if e.Actor != actor || e.RequestID == "" || !strings.Contains(e.Action, ".") {
						t.Errorf("recorded %+v, want the actor %s", e, actor)
					}
				}
				w.wantIntact(t, x, before+int64(len(added)))
			})
		}
	}
}

type checked struct {
	Events  int64
	Intact  bool
	Problem *string
	Hash    string
}

func (w *world) checkLog(t testing.TB, x tenant) checked {
	t.Helper()
	return read[checked](t, w.do(t, ask{"GET", "/v1/events/check", x.key, "", nil}).want(t, 200))
}

func (w *world) wantIntact(t testing.TB, x tenant, events int64) {
	t.Helper()
	got := w.checkLog(t, x)
	_, hash, err := w.store.EndOfEvents(t.Context(), x.org.ID)
	must(t, err)
	if !got.Intact || got.Problem != nil || got.Events != events || got.Hash != hash {
		t.Errorf("%+v, want %d events ending with %s", got, events, hash)
	}
}

// rename creates n events.
func (w *world) rename(t testing.TB, x tenant, n int) {
	t.Helper()
	for i := range n {
		w.do(t, ask{"PATCH", "/v1/organization", x.key, fmt.Sprintf(`{"name":"n%d <&> \u2028"}`, i), nil}).want(t, 200)
	}
}

// forge bypasses the store's rules, like someone with access to the database.
func (w *world) forge(t testing.TB, statements string) {
	t.Helper()
	if pool := w.store.Postgres(); pool != nil {
		_, err := pool.Exec(t.Context(), `ALTER TABLE events DISABLE TRIGGER USER; `+statements)
		must(t, err)
		return
	}
	db := w.store.SQLite()
	rows, err := db.QueryContext(t.Context(),
		`SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'`)
	must(t, err)
	var drops string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		drops += `DROP TRIGGER "` + name + `"; `
	}
	must(t, rows.Err())
	must(t, rows.Close())
	_, err = db.ExecContext(t.Context(), drops+statements)
	must(t, err)
}

// tampering lists manipulations of a log of 302 events, each with the message that the check returns for it.
var tampering = map[string]struct{ statement, says string }{
	"altered": {`UPDATE events SET actor = 'key_other' WHERE sequence = 250`, "Event 250 was modified."},
	"data altered": {`UPDATE events SET data = '{"before":"x","after":"y"}' WHERE sequence = 250`,
		"Event 250 was modified."},
	"time altered":  {`UPDATE events SET at = at + 1 WHERE sequence = 1`, "Event 1 was modified."},
	"cut out":       {`DELETE FROM events WHERE sequence = 201`, "Event 201 is missing."},
	"first cut off": {`DELETE FROM events WHERE sequence = 1`, "Event 1 is missing."},
	"end cut off": {`DELETE FROM events WHERE sequence > 299`,
		"Event 300 is missing: the log should continue to event 302."},
	"all gone": {`DELETE FROM events`, "Event 1 is missing: the log should continue to event 302."},
	"moved up": {`DELETE FROM events WHERE sequence = 302; UPDATE events SET sequence = 302 WHERE sequence = 301`,
		"Event 301 is missing."},
	"end known no more": {
		`UPDATE organizations SET event_seq = 300, event_hash = (SELECT hash FROM events WHERE sequence = 300)`,
		"Event 301 was not added by this server."},
}

// D8: an altered event, one removed from the middle, a truncated end, and a replaced or inserted event are detected
// and named, on both database engines.
func TestTamperedAuditLogIsDetected(t *testing.T) {
	server, err := postgres.Start(t.Context())
	must(t, err)
	t.Cleanup(server.Stop)
	migrated := server.Database(t)
	must(t, storetest.Migrate(t.Context(), migrated))
	for engine, database := range map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { return storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")) },
		"PostgreSQL": func(t *testing.T) string { return server.Copy(t, migrated) },
	} {
		for name, c := range tampering {
			t.Run(engine+" "+name, func(t *testing.T) {
				w := newWorldOn(t, database(t), nil)
				x := w.idleTenant(t, "a", account.PlanFree)
				must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
					for i := range 302 {
						if err := tx.Record(t.Context(), eventOf(x, i, w.clock.Now())); err != nil {
							return err
						}
					}
					return nil
				}))
				w.wantIntact(t, x, 302)
				w.forge(t, c.statement)
				if got := w.checkLog(t, x); got.Intact || got.Problem == nil || *got.Problem != c.says {
					t.Errorf("%+v, want %q", got, c.says)
				}
			})
		}
	}
}

// D8: an event rewritten together with its hash no longer matches the next one; a rewritten last event does not match
// the hash stored with the organization; and if that is rewritten too, it does not match the hash stored elsewhere.
func TestRewrittenAuditLogIsDetected(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanFree)
	w.rename(t, x, 5)
	kept := w.checkLog(t, x).Hash
	list, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 10)
	must(t, err)
	rewrite := func(i int, prev string) string {
		e := list[i]
		e.Actor = "key_other"
		e = e.Chain(e.Sequence, prev)
		w.forge(t,
			fmt.Sprintf(`UPDATE events SET actor = 'key_other', prev_hash = '%s', hash = '%s' WHERE sequence = %d`,
				e.PrevHash, e.Hash, e.Sequence))
		return e.Hash
	}
	hash := rewrite(2, list[1].Hash)
	if got := w.checkLog(t, x); got.Intact || *got.Problem != "Event 4 does not follow the event before it." {
		t.Errorf("%+v", got)
	}
	hash = rewrite(4, rewrite(3, hash))
	if got := w.checkLog(t, x); got.Intact || *got.Problem != "Event 5 is not the last one that was written." {
		t.Errorf("%+v", got)
	}
	w.forge(t, fmt.Sprintf(`UPDATE organizations SET event_hash = '%s'`, hash))
	if got := w.checkLog(t, x); !got.Intact || got.Hash == kept {
		t.Errorf("%+v, kept %s", got, kept)
	}
}

// The log can be checked while events are added.
func TestGrowingLogPassesCheck(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanFree)
	w.rename(t, x, 3)
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 300 && err == nil; i++ {
			err = w.store.Tx(t.Context(), func(tx *store.Tx) error {
				return tx.Record(t.Context(), eventOf(x, i, w.clock.Now()))
			})
		}
		done <- err
	}()
	for {
		if got := w.checkLog(t, x); !got.Intact {
			t.Errorf("%+v: %s", got, *got.Problem)
		}
		select {
		case err := <-done:
			must(t, err)
			w.wantIntact(t, x, 303)
			return
		default:
		}
	}
}
