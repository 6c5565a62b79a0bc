package storetest

import (
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/store"
)

func testSetting(t *testing.T, database func(*testing.T) string) {
	t.Run("is empty until claimed, then keeps its first value", func(t *testing.T) {
		w := newWorld(t, database)
		if v, err := w.s.FindSetting(w.ctx, "seed"); v != "" || err != nil {
			t.Errorf("unset: %q, %v", v, err)
		}
		for _, value := range []string{"first", "second"} {
			w.tx(func(tx *store.Tx) error {
				held, err := tx.ClaimSetting(w.ctx, "seed", value)
				if held != "first" {
					t.Errorf("claim of %q: %q holds", value, held)
				}
				return err
			})
		}
		if v, err := w.s.FindSetting(w.ctx, "seed"); v != "first" || err != nil {
			t.Errorf("after two claims: %q, %v", v, err)
		}
	})
	t.Run("claimed by many at once has one winner that all hear of", func(t *testing.T) {
		w := newWorld(t, database)
		other := w.replica()
		held := make([]string, 20)
		w.ok(together(len(held), func(i int) error {
			s := []*store.Store{w.s, other}[i%2]
			return s.Tx(w.ctx, func(tx *store.Tx) (err error) {
				held[i], err = tx.ClaimSetting(w.ctx, "seed", fmt.Sprint("value ", i))
				return err
			})
		}))
		for _, v := range held {
			if v == "" || v != held[0] {
				t.Fatalf("claims heard of different winners: %q", held)
			}
		}
	})
}
