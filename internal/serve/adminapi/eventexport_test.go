package adminapi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// exportedEvent is a line of an export.
type exportedEvent struct {
	EventID, OrganizationID, Actor, Action, Target, PrevHash, Hash string
	RequestID                                                      *string
	Sequence                                                       int64
	At                                                             time.Time
	Data                                                           map[string]string
}

func (w *world) exported(t testing.TB, key, query string) []exportedEvent {
	t.Helper()
	var out []exportedEvent
	for line := range bytes.Lines(w.do(t, ask{"GET", "/v1/events/export?" + query, key, "", nil}).want(t, 200).body) {
		var e exportedEvent
		must(t, json.Unmarshal(line, &e))
		out = append(out, e)
	}
	return out
}

// D8: an export can be verified without the server: the documented algorithm yields the same hashes, from the first
// event to the one that the server reports as the newest.
func TestExportedLogCanBeVerified(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanPro)
	w.rename(t, x, 450)
	w.do(t, ask{"DELETE", "/v1/members/" + x.members["viewer"].ID, "", "", nil}.as(x.members["viewer"])).want(t, 204)
	got := w.do(t, ask{"GET", "/v1/events/export", x.key, "", nil}).want(t, 200)
	if got.header.Get("Content-Disposition") != `attachment; filename="events-2026-03-04.ndjson"` ||
		got.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%v", got.header)
	}
	prev, n := "", int64(0)
	for _, e := range w.exported(t, x.key, "") {
		n++
		request := ""
		if e.RequestID != nil {
			request = *e.RequestID
		}
		raw, err := json.Marshal([]any{e.EventID, e.OrganizationID, e.Sequence, e.Actor, e.Action, e.Target, request,
			e.Data, e.At.UnixMicro(), e.PrevHash})
		must(t, err)
		sum := sha256.Sum256(raw)
		if e.Sequence != n || e.PrevHash != prev || hex.EncodeToString(sum[:]) != e.Hash {
			t.Fatalf("line %d: %+v", n, e)
		}
		prev = e.Hash
	}
	if check := w.checkLog(t, x); n != 451 || check.Events != n || check.Hash != prev {
		t.Errorf("%d lines ending with %s, the server reports %+v", n, prev, check)
	}
}

// A cell that a spreadsheet would evaluate gets an apostrophe; text from callers stays in its cell.
func TestCSVExportContainsNoFormulas(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanPro)
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		for _, first := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "x"} {
			e := eventOf(x, 0, w.clock.Now())
			e.Target, e.Data = first+"1+2\",;\nnext", map[string]string{"=a": `"`}
			if err := tx.Record(t.Context(), e); err != nil {
				return err
			}
		}
		return nil
	}))
	w.do(t, ask{"PATCH", "/v1/organization", x.key, `{"name":"=1+2"}`,
		map[string]string{"X-Request-Id": "-2-3-4-5-6"}}).want(t, 200)
	got := w.do(t, ask{"GET", "/v1/events/export?format=csv", x.key, "", nil}).want(t, 200)
	if got.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasSuffix(got.header.Get("Content-Disposition"), `.csv"`) {
		t.Errorf("%v", got.header)
	}
	rows, err := csv.NewReader(bytes.NewReader(got.body)).ReadAll()
	must(t, err)
	if len(rows) != 10 || strings.Join(rows[0],
		" ") != "sequence at actor action target data requestId eventId organizationId prevHash hash" {
		t.Fatalf("%q", rows)
	}
	for i, row := range rows[1:] {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
				t.Errorf("row %d has the cell %q", i+1, cell)
			}
		}
	}
	if rows[1][4] != "'=1+2\",;\nnext" || rows[8][4] != "x1+2\",;\nnext" || rows[1][5] != `{"=a":"\""}` ||
		rows[9][6] != "'-2-3-4-5-6" {
		t.Errorf("%q", rows)
	}
	if empty := w.do(t, ask{"GET", "/v1/events/export?format=csv&action=nothing", x.key, "", nil}).
		want(t, 200); bytes.Count(empty.body, []byte("\n")) != 1 {
		t.Errorf("%q", empty.body)
	}
}

// dying finds a key a few times, and then reports it as revoked.
type dying struct {
	*store.Store
	left atomic.Int32
}

func (d *dying) FindPrincipal(ctx context.Context, hashes ...string) (store.Principal, error) {
	if d.left.Add(-1) < 0 {
		return store.Principal{}, fault.New(fault.NotFound, "unknown_key", "API key not found.")
	}
	return d.Store.FindPrincipal(ctx, hashes...)
}

// An export whose key is revoked while it runs is aborted, and its client can distinguish the result from a complete
// export.
func TestAbortedExportIsDetectable(t *testing.T) {
	keys := &dying{}
	w := newWorld(t, func(o *adminapi.Options) { keys.Store = o.Store; o.Keys = keys })
	x := w.idleTenant(t, "a", account.PlanPro)
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		for i := range 1000 {
			if err := tx.Record(t.Context(), eventOf(x, i, w.clock.Now())); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, format := range []string{"ndjson", "csv"} {
		keys.left.Store(3) // one for the request, two for batches after the first
		req, err := http.NewRequestWithContext(t.Context(), "GET",
			fmt.Sprint(w.server.URL, "/v1/events/export?format=", format), nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+x.key)
		res, err := w.server.Client().Do(req)
		must(t, err)
		_, err = io.ReadAll(res.Body)
		must(t, res.Body.Close())
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: the reader gets %v", format, err)
		}
	}
	keys.left.Store(100)
	if lines := w.exported(t, x.key, ""); len(lines) != 1000 {
		t.Errorf("%d lines", len(lines))
	}
}
