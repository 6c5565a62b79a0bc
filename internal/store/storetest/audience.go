package storetest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// counted adds up events and stores the sums.
func (w *world) counted(s *store.Store, list ...audience.Event) {
	w.t.Helper()
	b := audience.NewBatch(1<<20, nil)
	for _, e := range list {
		if e.At.IsZero() {
			e.At = w.clock.now()
		}
		if !b.Add(e) {
			w.t.Fatal("the batch is full")
		}
	}
	w.ok(s.AddAudience(w.ctx, b))
}

func visitor(n byte) [8]byte { return [8]byte{1, n} }

// allDays returns a span that includes every day.
func allDays() audience.Span { return audience.Span{From: 0, To: 1 << 20} }

func testAudience(t *testing.T, database func(*testing.T) string) {
	t.Run("counts every view, and each visitor once a day", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		view := func(path string, c audience.Class, who byte) audience.Event {
			return audience.Event{ProjectID: p, Kind: audience.View, Class: c, Path: path, Visitor: visitor(who),
				Referrer: "news.example.com"}
		}
		first := []audience.Event{view("/a", audience.Human, 1), view("/a", audience.Human, 1),
			view("/a", audience.Human, 2), view("/b", audience.Human, 1), view("/a", audience.Agent, 3),
			view("/a", audience.Indexer, 4)}
		w.counted(w.s, first...)
		w.counted(w.replica(), first...) // another process has seen the same readers
		w.clock.advance(24 * time.Hour)
		w.counted(w.s, view("/a", audience.Human, 1), view("/", audience.Trainer, 5))
		days, err := w.s.ListDays(w.ctx, p, allDays())
		w.ok(err)
		if len(days) != 2 || days[0].Views != (audience.Traffic{8, 2, 2, 0, 0}) ||
			days[0].Visitors != (audience.Traffic{2, 1, 1, 0, 0}) ||
			days[1].Visitors != (audience.Traffic{1, 0, 0, 1, 0}) {
			t.Errorf("%+v", days)
		}
		pages, err := w.s.ListPageViews(w.ctx, p, allDays(), store.Some{Limit: 10})
		w.ok(err)
		if got := fmt.Sprint(pages); got != "[{/a [7 2 2 0 0]} {/b [2 0 0 0 0]} {/ [0 0 0 1 0]}]" {
			t.Error(got)
		}
		pages, err = w.s.ListPageVisitors(w.ctx, p, allDays(), store.Some{Limit: 1, Offset: 1})
		w.ok(err)
		if got := fmt.Sprint(pages); got != "[{/ [0 0 0 1 0]}]" {
			t.Error(got)
		}
		today := audience.LastDays(w.clock.now(), 1)
		if pages, err = w.s.ListPageViews(w.ctx, p, today, store.Some{Limit: 10}); err != nil ||
			fmt.Sprint(pages) != "[{/ [0 0 0 1 0]} {/a [1 0 0 0 0]}]" {
			t.Errorf("%v %v", pages, err)
		}
		hosts, total, err := w.s.ListReferrers(w.ctx, p, allDays(), store.Some{Limit: 10})
		if err != nil || total != 14 || fmt.Sprint(hosts) != "[{news.example.com 14}]" {
			t.Errorf("%v %d %v", hosts, total, err)
		}
	})
	t.Run("adds up counts of concurrent processes", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a").ID
		list := []string{w.project(o).ID, w.project(o).ID}
		var wait sync.WaitGroup
		for i, s := range []*store.Store{w.s, w.replica(), w.replica()} {
			wait.Go(func() {
				for round := range 5 {
					b := audience.NewBatch(1<<20, nil)
					for n := range 100 {
						b.Add(audience.Event{ProjectID: list[n%2], At: w.clock.now(), Kind: audience.View,
							Class: audience.Human, Path: fmt.Sprint("/", (n*7+i+round)%50),
							Visitor: visitor(byte(n / 2))})
					}
					if err := s.AddAudience(w.ctx, b); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		for _, p := range list {
			days, err := w.s.ListDays(w.ctx, p, allDays())
			if err != nil || len(days) != 1 || days[0].Views[0] != 750 || days[0].Visitors[0] != 50 {
				t.Errorf("%+v %v", days, err)
			}
		}
	})
	t.Run("counts paths beyond the limit under one name", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		var list []audience.Event
		for i := range 5_200 {
			list = append(list, audience.Event{ProjectID: p, Kind: audience.Missing, Path: fmt.Sprint("/x", i)})
		}
		w.counted(w.s, list[:4_990]...)
		w.counted(w.s, list[:4_990]...)
		if got, _, err := w.s.ListMissing(w.ctx, p, allDays(), store.Some{Limit: 10_000}); err != nil ||
			len(got) != 4_990 {
			t.Errorf("%d rows of 4,990 paths: %v", len(got), err)
		}
		w.counted(w.s, list...)
		w.counted(w.s, list[:10]...)
		w.counted(w.s, audience.Event{ProjectID: p, Kind: audience.Missing, Path: audience.Other},
			audience.Event{ProjectID: p, Kind: audience.Missing, Path: "/new"})
		got, total, err := w.s.ListMissing(w.ctx, p, allDays(), store.Some{Limit: 10_000})
		w.ok(err)
		if total != 5_212+2*4_990 || len(got) > 5_000 || got[0].Path != audience.Other || got[0].N < 200 {
			t.Errorf("%d rows, %d in all, first %+v", len(got), total, got[0])
		}
	})
	t.Run("ignores deleted projects, and is deleted with its project", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, gone := w.project(o.ID).ID, w.project(o.ID).ID
		e := audience.Event{ProjectID: gone, Kind: audience.View, Class: audience.Human, Path: "/", Visitor: visitor(1)}
		w.counted(w.s, e)
		_, err := w.s.AddFeedback(w.ctx,
			audience.Feedback{ProjectID: gone, Path: "/", Source: audience.ByComment, Comment: "x"})
		w.ok(err)
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, gone) })
		mine := e
		mine.ProjectID = p
		w.counted(w.s, e, mine)
		for id, want := range map[string]int{p: 1, gone: 0} {
			days, err := w.s.ListDays(w.ctx, id, allDays())
			if err != nil || len(days) != want {
				t.Errorf("%v %v", days, err)
			}
		}
	})
}

func testTerms(t *testing.T, database func(*testing.T) string) {
	t.Run("lists searches by frequency, in pages, with the opened results", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		search := func(q string, hits int) audience.Event {
			return audience.Event{ProjectID: p, Kind: audience.Search, Query: q, Hits: hits}
		}
		click := func(q, to string) audience.Event {
			return audience.Event{ProjectID: p, Kind: audience.Click, Query: q, Target: to}
		}
		w.counted(w.s, search("b", 0), search("b", 3), search("a", 1), search("c", 0), click("b", "/x"),
			click("never searched", "/y"))
		w.clock.advance(24 * time.Hour)
		w.counted(w.s, search("b", 7), click("b", "/y"), click("b", "/y"))
		var got []string
		page := store.Page{Limit: 2}
		for {
			list, total, next, err := w.s.ListTerms(w.ctx, p, allDays(), page)
			w.ok(err)
			if total != 5 {
				t.Errorf("%d searches in all", total)
			}
			for _, x := range list {
				got = append(got, fmt.Sprintf("%s %d %d %d %d %s", x.Query, x.Searches, x.NoResults, x.Clicks, x.Hits,
					x.TopPage))
			}
			if page.Cursor = next; next == "" {
				break
			}
		}
		if fmt.Sprint(got) != "[b 3 1 3 7 /y a 1 0 0 1  c 1 1 0 0 ]" {
			t.Errorf("%q", got)
		}
		for _, bad := range []string{"!", "eA", "MC5h"} {
			if _, _, _, err := w.s.ListTerms(w.ctx, p, allDays(), store.Page{Limit: 1, Cursor: bad}); !fault.Is(err,
				fault.Invalid) {
				t.Errorf("cursor %q: %v", bad, err)
			}
		}
	})
	t.Run("lists tries by outcome", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		for _, status := range []int{200, 302, 404, 500, 0} {
			w.counted(w.s, audience.Event{ProjectID: p, Kind: audience.Try, Target: "GET /plants", Status: status})
		}
		list, total, err := w.s.ListTries(w.ctx, p, allDays(), store.Some{Limit: 5})
		if err != nil || total != 5 || len(list) != 1 || list[0].Succeeded != 2 || list[0].Refused != 1 ||
			list[0].Failed != 2 || !list[0].Last.Equal(w.clock.now().Truncate(time.Microsecond)) {
			t.Errorf("%+v %d %v", list, total, err)
		}
	})
}

func testAudienceKeep(t *testing.T, database func(*testing.T) string) {
	t.Run("deletes more visitors than fit into one transaction", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		var list []audience.Event
		for i := range 1_200 { // two marks each
			list = append(list, audience.Event{ProjectID: p, At: w.clock.now(), Kind: audience.View,
				Class: audience.Human, Path: "/", Visitor: [8]byte{byte(i), byte(i >> 8), 1}})
		}
		w.counted(w.s, list...)
		w.clock.advance(24 * time.Hour)
		_, err := w.s.ForgetAudience(w.ctx, 0)
		w.ok(err)
		w.counted(w.s, list...)
		if days, err := w.s.ListDays(w.ctx, p, allDays()); err != nil || days[0].Visitors[0] != 2_400 {
			t.Errorf("%+v %v", days, err)
		}
	})
	t.Run("deletes visitors after their day, and counts after their retention time", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		day := audience.DayOf(w.clock.now())
		salt, err := w.s.FindSalt(w.ctx, day, []byte("one"))
		w.ok(err)
		again, err := w.replica().FindSalt(w.ctx, day, []byte("two"))
		if err != nil || !bytes.Equal(salt, again) || string(salt) != "one" {
			t.Fatalf("%q %q %v", salt, again, err)
		}
		e := audience.Event{ProjectID: p, Kind: audience.View, Class: audience.Human, Path: "/", Visitor: visitor(1)}
		w.counted(w.s, e)
		_, err = w.s.AddFeedback(w.ctx, audience.Feedback{ProjectID: p, Path: "/", Source: audience.ByThumb, Mark: 5})
		w.ok(err)
		w.clock.advance(24 * time.Hour)
		if salt, err = w.s.FindSalt(w.ctx, day+1, []byte("three")); err != nil || string(salt) != "three" {
			t.Fatalf("%q %v", salt, err)
		}
		if salt, err = w.s.FindSalt(w.ctx, day, []byte("late")); err != nil || string(salt) != "one" {
			t.Errorf("a process whose clock is ahead deleted the salt of the others: %q %v", salt, err)
		}
		_, err = w.s.ForgetAudience(w.ctx, 0)
		w.ok(err)
		if salt, err = w.s.FindSalt(w.ctx, day, []byte("unknown")); err != nil || string(salt) != "unknown" {
			t.Errorf("yesterday's salt was kept: %q %v", salt, err)
		}
		if list, _, err := w.s.ListFeedback(w.ctx, p, audience.FeedbackFilter{Span: allDays()},
			store.Page{Limit: 5}); err != nil || len(list) != 1 || list[0].Mark != 0 {
			t.Errorf("%+v %v", list, err)
		}
		e.At = w.clock.now().Add(-24 * time.Hour)
		w.counted(w.s, e) // a late event; the record that the reader was seen has been deleted
		if days, err := w.s.ListDays(w.ctx, p, allDays()); err != nil || days[0].Visitors[0] != 2 {
			t.Errorf("%+v %v", days, err)
		}
		for _, step := range []struct {
			keep time.Duration
			left int
		}{{0, 1}, {48 * time.Hour, 1}, {time.Hour, 0}} {
			_, err := w.s.ForgetAudience(w.ctx, step.keep)
			w.ok(err)
			days, err := w.s.ListDays(w.ctx, p, allDays())
			w.ok(err)
			said, _, err := w.s.ListFeedback(w.ctx, p, audience.FeedbackFilter{Span: allDays()}, store.Page{Limit: 5})
			if err != nil || len(days) != step.left || len(said) != step.left {
				t.Errorf("keep %s: %v %v %v", step.keep, days, said, err)
			}
		}
	})
}
