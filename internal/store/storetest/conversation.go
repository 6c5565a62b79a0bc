package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// ask stores a question that is asked at the clock's current time.
func (w *world) ask(p project.Project, thread, message string,
	change func(*conversation.Exchange)) conversation.Exchange {
	w.t.Helper()
	e := conversation.Exchange{ID: message, ThreadID: thread, ProjectID: p.ID,
		At: w.clock.now().UTC().Truncate(time.Microsecond), Caller: conversation.Web, Page: "/start", Question: "How?",
		Answer: "Thus [1].", Type: conversation.Answered,
		Sources: []conversation.Source{{Number: 1, Path: "/start#a", Title: "Start"}}, Model: "m", Tokens: 7}
	if change != nil {
		change(&e)
	}
	w.ok(w.s.AddExchange(w.ctx, e))
	return e
}

func testConversation(t *testing.T, database func(*testing.T) string) {
	t.Run("stores the reader's question and rating", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		first := w.ask(p, "thr_a", "msg_a", nil)
		w.clock.advance(time.Second)
		w.ask(p, "thr_a", "msg_b", func(e *conversation.Exchange) {
			e.Sources, e.Question, e.Type = nil, "\x00bad \xff"+strings.Repeat("ü", 5000), conversation.Failed
		})
		list, err := w.s.FindThread(w.ctx, p.ID, "thr_a")
		w.ok(err)
		if len(list) != 2 || !reflect.DeepEqual(list[0], first) || !strings.HasPrefix(list[1].Question,
			"\uFFFDbad \uFFFD") || len([]rune(list[1].Question)) != conversation.MaxQuestion {
			t.Errorf("%+v", list)
		}
		w.ok(w.s.RateExchange(w.ctx, p.ID, "thr_a", "msg_a", false, strings.Repeat("x", 3000)))
		list, err = w.s.FindThread(w.ctx, p.ID, "thr_a")
		w.ok(err)
		if list[0].Helpful == nil || *list[0].Helpful || len(list[0].Comment) != conversation.MaxComment ||
			list[1].Helpful != nil {
			t.Errorf("rated %+v", list)
		}
		w.wantFault(w.s.RateExchange(w.ctx, p.ID, "thr_x", "msg_a", true, ""), fault.NotFound, "unknown_message")
	})
	t.Run("is separate for each project, and deleted with it (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		org := w.organization("a")
		p, other := w.project(org.ID, "docs.example.com"), w.project(org.ID, "other.example.com")
		w.ask(p, "thr_a", "msg_a", nil)
		_, err := w.s.FindThread(w.ctx, other.ID, "thr_a")
		w.wantFault(err, fault.NotFound, "unknown_thread")
		w.wantFault(w.s.RateExchange(w.ctx, other.ID, "thr_a", "msg_a", true, ""), fault.NotFound, "unknown_message")
		for id, want := range map[string]bool{p.ID: true, other.ID: false} {
			if has, err := w.s.HasThread(w.ctx, id, "thr_a"); err != nil || has != want {
				t.Errorf("%v %v", has, err)
			}
		}
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, org.ID, p.ID) })
		if n := w.count(`SELECT count(*) FROM exchanges`); n != 0 {
			t.Errorf("%d are left of a deleted project", n)
		}
		w.wantFault(w.s.AddExchange(w.ctx, conversation.Exchange{ID: "msg_z", ThreadID: "thr_a", ProjectID: p.ID,
			Caller: conversation.Web, Type: conversation.Answered}), fault.NotFound, "unknown_project")
	})
	t.Run("pages through a time span without gaps (A10)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		start := w.clock.now()
		for i := range 7 {
			w.ask(p, "thr_a", fmt.Sprint("msg_", string(rune('a'+i))), func(e *conversation.Exchange) {
				e.Caller = []conversation.Caller{conversation.Web, conversation.API, conversation.Other}[i%3]
			})
			if i%2 == 1 {
				w.clock.advance(time.Hour)
			}
		}
		var seen []string
		pg := store.Page{Limit: 2}
		for {
			list, next, err := w.s.ListExchanges(w.ctx, p.ID, store.Span{}, pg)
			w.ok(err)
			for _, e := range list {
				seen = append(seen, e.ID)
			}
			if pg.Cursor = next; next == "" {
				break
			}
		}
		if got := strings.Join(seen, " "); got != "msg_g msg_f msg_e msg_d msg_c msg_b msg_a" {
			t.Errorf("saw %s", got)
		}
		in := store.Span{From: start.Add(time.Hour), To: start.Add(2 * time.Hour)}
		list, _, err := w.s.ListExchanges(w.ctx, p.ID, in, store.Page{Limit: 10})
		w.ok(err)
		stats, err := w.s.CountExchanges(w.ctx, p.ID, in)
		w.ok(err)
		if len(list) != 2 || stats != (conversation.Stats{Web: 1, Other: 1}) {
			t.Errorf("%d in an hour, %+v", len(list), stats)
		}
		if stats, err := w.s.CountExchanges(w.ctx, p.ID, store.Span{}); err != nil ||
			stats != (conversation.Stats{Web: 3, API: 2, Other: 2}) {
			t.Errorf("in all %+v %v", stats, err)
		}
	})
	t.Run("is deleted after its retention time", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID, "docs.example.com")
		w.ask(p, "thr_a", "msg_a", nil)
		w.clock.advance(time.Hour)
		w.ask(p, "thr_a", "msg_b", nil)
		w.ask(p, "thr_a", "msg_c", nil)
		for _, c := range []struct {
			keep time.Duration
			most int
			want int64
		}{{2 * time.Hour, 10, 0}, {30 * time.Minute, 10, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 0}} {
			if n, err := w.s.DropExchanges(w.ctx, c.keep, c.most); err != nil || n != c.want {
				t.Errorf("%s: %d were deleted (error %v)", c.keep, n, err)
			}
		}
	})
}
