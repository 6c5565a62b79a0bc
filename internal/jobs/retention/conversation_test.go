package retention_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Questions are kept for the operator's retention period, and not at all if that is 0.
func TestExpiredQuestionsAreRemoved(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	for name, age := range map[string]time.Duration{"msg_old": 48 * time.Hour, "msg_new": time.Hour} {
		if err := b.Store.AddExchange(t.Context(), conversation.Exchange{ID: name, ThreadID: "thr_a", ProjectID: p.ID,
			At: b.Now().Add(-age), Caller: conversation.Web, Type: conversation.Answered}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		keep time.Duration
		left int
	}{{72 * time.Hour, 2}, {24 * time.Hour, 1}, {0, 0}} {
		s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
			Conversations: c.keep, Logger: slog.New(slog.DiscardHandler), Now: b.Now}
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, _, err := b.Store.ListExchanges(t.Context(), p.ID, store.Span{}, store.Page{Limit: 10})
		if err != nil || len(list) != c.left {
			t.Errorf("%s: %d are left (error %v)", c.keep, len(list), err)
		}
	}
}
