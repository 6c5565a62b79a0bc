package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/blocked"
)

func testBlocked(t *testing.T, database func(*testing.T) string) {
	add := func(w *world, project, kind, source, page string) {
		w.t.Helper()
		w.ok(w.s.AddBlocked(w.ctx, blocked.Entry{ProjectID: project, Kind: kind, Source: source, Page: page, Reports: 1}))
		w.clock.advance(time.Second)
	}
	list := func(w *world, project string) (out []string) {
		w.t.Helper()
		rows, err := w.s.ListBlocked(w.ctx, project, w.clock.now().Add(-blocked.KeepFor))
		w.ok(err)
		for _, e := range rows {
			out = append(out, fmt.Sprintf("%s %s %s %d %v", e.Kind, e.Source, e.Page, e.Reports,
				e.LastSeen.Sub(e.FirstSeen)))
		}
		return out
	}
	t.Run("reports of one source are one entry", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		a, b := w.project(o.ID, "a.example.com").ID, w.project(o.ID, "b.example.com").ID
		add(w, a, "style", "inline", "/x")
		add(w, a, "script", "https://w.example", "/x")
		add(w, a, "script", "https://w.example", "/y")
		add(w, b, "script", "https://w.example", "/z")
		if got := fmt.Sprint(list(w, a)); got != "[script https://w.example /y 2 1s style inline /x 1 0s]" {
			t.Error(got)
		}
		w.clock.advance(blocked.KeepFor)
		if got := list(w, a); len(got) != 0 {
			t.Errorf("old entries are listed: %v", got)
		}
		add(w, a, "font", "https://w.example", "/x")
		if n := w.count(`SELECT COUNT(*) FROM blocked WHERE project_id = $1`, a); n != 1 {
			t.Errorf("%d entries are kept", n)
		}
	})
	t.Run("the number of entries per project is limited", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "a.example.com").ID
		for i := range blocked.MaxRows + 5 {
			add(w, p, "script", fmt.Sprintf("https://w%d.example", i), "/")
		}
		got := list(w, p)
		if len(got) != blocked.MaxRows || got[0] != fmt.Sprintf("script https://w%d.example / 1 0s", blocked.MaxRows+4) {
			t.Errorf("%d entries, %s", len(got), got[0])
		}
	})
	t.Run("new sources with a single report replace each other", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "a.example.com").ID
		for range 2 {
			add(w, p, "script", "https://two.example", "/")
		}
		add(w, p, "script", "https://once.example", "/")
		for i := range 2 * blocked.MaxRows {
			add(w, p, "script", fmt.Sprintf("https://forged%d.example", i), "/")
		}
		got := fmt.Sprint(list(w, p))
		for _, want := range []string{"two", "once", fmt.Sprintf("forged%d", 2*blocked.MaxRows-1)} {
			if !strings.Contains(got, "https://"+want+".example ") {
				t.Errorf("%s is missing", want)
			}
		}
	})
	t.Run("a report that does not count updates only the time and page of its source", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "a.example.com").ID
		add(w, p, "script", "https://w.example", "/x")
		w.ok(w.s.AddBlocked(w.ctx, blocked.Entry{ProjectID: p, Kind: "script", Source: "https://w.example", Page: "/y"}))
		if got := fmt.Sprint(list(w, p)); got != "[script https://w.example /y 1 1s]" {
			t.Error(got)
		}
	})
}
