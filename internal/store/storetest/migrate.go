package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/store"
)

func testMigrate(t *testing.T, database func(*testing.T) string) {
	t.Run("applies every migration once (D2)", func(t *testing.T) {
		w := newWorld(t, database)
		first, err := w.s.Migrate(w.ctx)
		w.ok(err)
		o := w.organization("a")
		second, err := w.s.Migrate(w.ctx)
		w.ok(err)
		if first == 0 || second != 0 {
			t.Errorf("applied %d, then %d", first, second)
		}
		if _, err := w.s.FindOrganization(w.ctx, o.ID); err != nil {
			t.Errorf("the second run lost data: %v", err)
		}
	})
	t.Run("one of many concurrent processes migrates (D2)", func(t *testing.T) {
		w := newWorld(t, database)
		stores := []*store.Store{w.s, w.replica(), w.replica()}
		var applied, inside, steps atomic.Int64
		step := func(context.Context) error {
			if inside.Add(1) > 1 {
				t.Error("two processes migrate at the same time")
			}
			steps.Add(1)
			inside.Add(-1)
			return nil
		}
		const calls = 6
		w.ok(together(calls, func(i int) error {
			n, err := stores[i%len(stores)].Migrate(w.ctx, step)
			applied.Add(int64(n))
			return err
		}))
		if again, err := w.s.Migrate(w.ctx); again != 0 || err != nil {
			t.Errorf("migrations were left to apply: %d (error %v)", again, err)
		}
		whole := int64(w.count(`SELECT count(*) FROM goose_db_version WHERE version_id > 0`))
		if applied.Load() != whole || steps.Load() != calls {
			t.Errorf("%d of %d migrations were applied, %d of %d steps run", applied.Load(), whole, steps.Load(), calls)
		}
	})
	t.Run("resumes after a failed step of another package (D2)", func(t *testing.T) {
		w := newWorld(t, database)
		boom := errors.New("boom")
		if _, err := w.s.Migrate(w.ctx, func(context.Context) error { return boom }); !errors.Is(err, boom) {
			t.Fatalf("error is %v", err)
		}
		done := false
		_, err := w.s.Migrate(w.ctx, func(context.Context) error { done = true; return nil })
		w.ok(err)
		if w.organization("a"); !done {
			t.Error("the step was not run again")
		}
	})
}
