package eventcount_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/eventcount"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// rig is a counter with a real store.
type rig struct {
	*eventcount.Counter
	store           *store.Store
	project         string
	clock           *worktest.Clock
	stored, dropped atomic.Int64
}

func newRig(t *testing.T, change func(*eventcount.Options)) *rig {
	t.Helper()
	r := &rig{clock: worktest.NewClock(time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC))}
	var err error
	r.store, err = store.Open(t.Context(),
		store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "l.db")), Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader}})
	if err == nil {
		_, err = r.store.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.store.Close() })
	err = r.store.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
		if err != nil {
			return err
		}
		p, err := tx.CreateProject(t.Context(),
			project.Project{OrganizationID: o.ID, Name: "p", Source: project.Source{Path: "/x"}})
		r.project = p.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	opt := eventcount.Options{Store: r.store, Now: r.clock.Now, Rand: rand.Reader,
		Logger: slog.New(slog.DiscardHandler), Every: time.Hour, Count: func(outcome string, n int) {
			if outcome == eventcount.Stored {
				r.stored.Add(int64(n))
			} else {
				r.dropped.Add(int64(n))
			}
		}}
	if change != nil {
		change(&opt)
	}
	r.Counter = eventcount.Open(t.Context(), opt)
	return r
}

func (r *rig) view(path, from string) audience.Event {
	return audience.Event{ProjectID: r.project, Kind: audience.View, Class: audience.Human, Path: path,
		Visitor: r.Visitor(r.project, netip.MustParseAddr(from), "x")}
}

func (r *rig) days(t *testing.T) []audience.DayFigures {
	t.Helper()
	list, err := r.store.ListDays(t.Context(), r.project, audience.Span{To: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEventsAreStoredOnClose(t *testing.T) {
	r := newRig(t, nil)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for n := range 250 {
				r.Record(r.view(fmt.Sprint("/", n%10), fmt.Sprintf("10.0.%d.1", i)))
			}
		})
	}
	wait.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if d := r.days(t); len(d) != 1 || d[0].Views[0] != 2000 || d[0].Visitors[0] != 8 || r.stored.Load() != 2000 ||
		r.dropped.Load() != 0 {
		t.Errorf("%+v, %d stored", d, r.stored.Load())
	}
}

// A visitor cannot be recognized the next day: the number changes, and the memory is cleared.
func TestVisitorNumbersChangeEveryDay(t *testing.T) {
	r := newRig(t, nil)
	first := r.view("/", "203.0.113.7")
	r.Record(first)
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Record(r.view("/", "203.0.113.7"))
	r.clock.Advance(2 * time.Hour)
	if between := r.view("/", "203.0.113.7"); between.Visitor != ([8]byte{}) {
		t.Error("yesterday's number is used today")
	}
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := r.view("/", "203.0.113.7")
	if second.Visitor == first.Visitor || second.Visitor == ([8]byte{}) {
		t.Error("the number is the same on two days, or there is none")
	}
	r.Record(second)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if d := r.days(t); len(d) != 2 || d[0].Views[0] != 2 || d[0].Visitors[0] != 1 || d[1].Visitors[0] != 1 {
		t.Errorf("%+v", d)
	}
}

// watched records the order of calls to a store.
type watched struct {
	eventcount.Store
	calls []string
}

func (w *watched) AddAudience(ctx context.Context, b *audience.Batch) error {
	w.calls = append(w.calls, "add")
	return w.Store.AddAudience(ctx, b)
}

func (w *watched) FindSalt(ctx context.Context, day audience.Day, fresh []byte) ([]byte, error) {
	w.calls = append(w.calls, "salt")
	return w.Store.FindSalt(ctx, day, fresh)
}

// Counts from before midnight are stored before the new day begins, and the new day begins even if that fails.
func TestOldCountsAreStoredBeforeNewSalt(t *testing.T) {
	var w *watched
	r := newRig(t, func(o *eventcount.Options) {
		w = &watched{Store: o.Store}
		o.Store = w
	})
	r.Record(r.view("/", "203.0.113.7"))
	r.clock.Advance(2 * time.Hour)
	if err := r.Flush(t.Context()); err != nil || fmt.Sprint(w.calls) != "[salt add salt]" {
		t.Errorf("%v %v", w.calls, err)
	}
	f := &failing{Store: w.Store}
	f.away.Store(true)
	w.Store = f
	r.Record(r.view("/", "203.0.113.7"))
	r.clock.Advance(24 * time.Hour)
	if err := r.Flush(t.Context()); err == nil ||
		r.Visitor(r.project, netip.MustParseAddr("203.0.113.7"), "x") == ([8]byte{}) {
		t.Errorf("no error, or no visitors while counts are waiting: %v", err)
	}
	f.away.Store(false)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// failing is a store whose database is unavailable.
type failing struct {
	eventcount.Store
	away atomic.Bool
}

func (f *failing) AddAudience(ctx context.Context, b *audience.Batch) error {
	if f.away.Load() {
		return errors.New("away")
	}
	return f.Store.AddAudience(ctx, b)
}

func TestFailedWritesAreRetriedThenDropped(t *testing.T) {
	var f *failing
	r := newRig(t, func(o *eventcount.Options) {
		f = &failing{Store: o.Store}
		o.Store, o.Keys = f, 100
	})
	f.away.Store(true)
	r.Record(r.view("/a", "10.0.0.1"))
	if r.Flush(t.Context()) == nil {
		t.Fatal("no error")
	}
	for i := range 1000 { // each path is a separate entry, and so is each reader
		r.Record(r.view(fmt.Sprint("/", i), "10.0.0.1"))
	}
	if n := r.dropped.Load(); n < 900 || n >= 1000 {
		t.Errorf("%d were dropped", n)
	}
	f.away.Store(false)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if d := r.days(t); len(d) != 1 || d[0].Views[0] != 1001-r.dropped.Load() || r.stored.Load() != d[0].Views[0] {
		t.Errorf("%+v, %d dropped, %d stored", d, r.dropped.Load(), r.stored.Load())
	}
}

func TestFullBatchIsStoredEarly(t *testing.T) {
	done := make(chan struct{}, 1)
	r := newRig(t, func(o *eventcount.Options) {
		o.Keys = 20 // with no write due for an hour
		count := o.Count
		o.Count = func(outcome string, n int) {
			count(outcome, n)
			if outcome == eventcount.Stored {
				select {
				case done <- struct{}{}:
				default:
				}
			}
		}
	})
	for i := range 6 {
		r.Record(r.view(fmt.Sprint("/", i), "10.0.0.1"))
	}
	<-done
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}
