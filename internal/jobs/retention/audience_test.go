package retention_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Visit counts and readers' feedback are removed after the operator's retention period; without one they are kept.
func TestOldAnalyticsCountsAreRemoved(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	batch := audience.NewBatch(100, nil)
	batch.Add(audience.Event{ProjectID: p.ID, At: b.Now(), Kind: audience.View, Class: audience.Human, Path: "/",
		Visitor: [8]byte{1}})
	if err := b.Store.AddAudience(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	b.Advance(72 * time.Hour)
	for _, step := range []struct {
		keep time.Duration
		left int
	}{{0, 1}, {100 * time.Hour, 1}, {24 * time.Hour, 0}} {
		s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
			Audience: step.keep, Logger: slog.New(slog.DiscardHandler), Now: b.Now}
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if days, err := b.Store.ListDays(t.Context(), p.ID, audience.Span{To: 1 << 20}); err != nil ||
			len(days) != step.left {
			t.Errorf("keep %s: %+v %v", step.keep, days, err)
		}
	}
}
