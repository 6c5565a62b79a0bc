package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/store"
)

func testReaderView(t *testing.T, database func(*testing.T) string) {
	ask := func(w *world, projectID string, v reader.View) error {
		w.clock.advance(time.Second)
		return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.AskView(w.ctx, projectID, v) })
	}
	list := func(w *world, projectID string, since time.Time) string {
		w.t.Helper()
		views, err := w.s.ListViews(w.ctx, projectID, since)
		w.ok(err)
		var keys []string
		for _, v := range views {
			keys = append(keys, v.Key())
		}
		return strings.Join(keys, " ")
	}
	t.Run("views are listed by project and time of the last request", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		a := w.project(o.ID, "a.example.com")
		b := w.project(o.ID, "b.example.com")
		w.ok(ask(w, a.ID, reader.New("x", "a, b")))
		w.ok(ask(w, a.ID, reader.View{Anonymous: true}))
		half := w.clock.now()
		w.ok(ask(w, a.ID, reader.New("a, b", "x")))
		w.ok(ask(w, b.ID, reader.New("b")))
		if got := list(w, a.ID, time.Unix(0, 0)); got != "anonymous groups=a%2C+b,x" {
			t.Errorf("views of a: %s", got)
		}
		if got := list(w, a.ID, half.Add(time.Millisecond)); got != "groups=a%2C+b,x" {
			t.Errorf("views of a of late: %s", got)
		}
		if got := list(w, b.ID, time.Unix(0, 0)); got != "groups=b" {
			t.Errorf("views of b: %s", got)
		}
		w.wantFault(ask(w, "prj_none", reader.New("x")), fault.NotFound, "unknown_project")
	})
	t.Run("the oldest views beyond the limit are deleted", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "a.example.com")
		for i := range store.MaxViews + 3 {
			w.ok(ask(w, p.ID, reader.New(fmt.Sprintf("g%02d", i))))
		}
		got := strings.Fields(list(w, p.ID, time.Unix(0, 0)))
		if len(got) != store.MaxViews || got[0] != "groups=g03" {
			t.Errorf("%d views from %s on", len(got), got[0])
		}
	})
}
