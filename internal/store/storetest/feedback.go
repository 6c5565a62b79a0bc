package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testFeedback(t *testing.T, database func(*testing.T) string) {
	yes, no := true, false
	add := func(w *world, f audience.Feedback) bool {
		w.t.Helper()
		f, ok := f.Clean()
		if !ok {
			w.t.Fatalf("%+v is empty", f)
		}
		made, err := w.s.AddFeedback(w.ctx, f)
		w.ok(err)
		w.clock.advance(time.Second)
		return made
	}
	list := func(w *world, p string, f audience.FeedbackFilter) (out []string) {
		w.t.Helper()
		f.Span = allDays()
		page := store.Page{Limit: 2}
		for {
			some, next, err := w.s.ListFeedback(w.ctx, p, f, page)
			w.ok(err)
			for _, x := range some {
				helpful := "?"
				if x.Helpful != nil {
					helpful = fmt.Sprint(*x.Helpful)
				}
				out = append(out, fmt.Sprintf("%s %s %s %s%s", x.Path, x.Source, helpful, x.Comment, x.Code))
			}
			if page.Cursor = next; next == "" {
				return out
			}
		}
	}
	t.Run("joins a rating and the comment that follows it", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		for _, step := range []struct {
			f    audience.Feedback
			made bool
		}{
			{audience.Feedback{Path: "/a", Helpful: &yes, Mark: 1}, true},
			{audience.Feedback{Path: "/a", Helpful: &no, Mark: 1}, false}, // the reader changed their mind
			{audience.Feedback{Path: "/a", Helpful: &no, Comment: "wrong", Mark: 1}, false},
			{audience.Feedback{Path: "/a", Helpful: &yes, Mark: 1}, true}, // an entry with a comment is kept
			{audience.Feedback{Path: "/b", Helpful: &yes, Mark: 2}, true},
			{audience.Feedback{Path: "/a", Helpful: &yes, Mark: 3}, true},
			{audience.Feedback{Path: "/a", Code: "x()", Mark: 3}, true},
			{audience.Feedback{Path: "/a", Helpful: &yes}, true},
			{audience.Feedback{Path: "/a", Helpful: &yes}, true}, // without a mark, readers cannot be told apart
		} {
			step.f.ProjectID = p
			if made := add(w, step.f); made != step.made {
				t.Errorf("%+v: made %v", step.f, made)
			}
		}
		got := list(w, p, audience.FeedbackFilter{})
		if want := "[/a thumbs_only true  /a thumbs_only true  /a code_snippet ? x() /a thumbs_only true  /b thumbs_only true  /a thumbs_only true  /a contextual false wrong]"; fmt.Sprint(got) != want {
			t.Errorf("%q", got)
		}
		pages, err := w.s.ListFeedbackByPage(w.ctx, p, audience.FeedbackFilter{Span: allDays()}, 10)
		if err != nil || fmt.Sprint(pages) != "[{/a 4 1 1 6} {/b 1 0 0 1}]" {
			t.Errorf("%v %v", pages, err)
		}
		if got := list(w, p, audience.FeedbackFilter{Source: audience.ByCode}); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
	t.Run("stores its state", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a").ID
		p, other := w.project(o).ID, w.project(o).ID
		add(w, audience.Feedback{ProjectID: p, Path: "/a", Comment: "one"})
		add(w, audience.Feedback{ProjectID: p, Path: "/a", Comment: "two"})
		all, _, err := w.s.ListFeedback(w.ctx, p, audience.FeedbackFilter{Span: allDays()}, store.Page{Limit: 5})
		w.ok(err)
		note := "looking"
		w.tx(func(tx *store.Tx) error {
			f, err := tx.SetFeedback(w.ctx, p, all[0].ID, audience.Resolved, &note)
			if f.Note != note || f.Status != audience.Resolved || f.Comment != "two" {
				t.Errorf("%+v", f)
			}
			return err
		})
		w.tx(func(tx *store.Tx) error {
			f, err := tx.SetFeedback(w.ctx, p, all[0].ID, audience.Dismissed, nil)
			if f.Note != note {
				t.Errorf("%+v", f)
			}
			return err
		})
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.SetFeedback(w.ctx, other, all[0].ID, audience.Resolved, nil)
			return err
		})
		if !fault.HasCode(err, "feedback_not_found") {
			t.Errorf("another project's: %v", err)
		}
		if got := list(w, p, audience.FeedbackFilter{Status: []audience.FeedbackStatus{audience.Pending,
			audience.Resolved}}); fmt.Sprint(got) != "[/a contextual ? one]" {
			t.Errorf("%q", got)
		}
	})
	t.Run("the number per day is limited", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID).ID
		var err error
		for range 2_001 {
			if _, err = w.s.AddFeedback(w.ctx,
				audience.Feedback{ProjectID: p, Path: "/", Source: audience.ByComment, Comment: "x"}); err != nil {
				break
			}
		}
		if !fault.Is(err, fault.RateLimited) {
			t.Errorf("%v", err)
		}
	})
}
