package storetest

import (
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/store"
)

func testSetting(t *testing.T, database func(*testing.T) string) {
	t.Run("keeps its first value until it is changed", func(t *testing.T) {
		w := newWorld(t, database)
		claim := func(value, want string) {
			t.Helper()
			w.tx(func(tx *store.Tx) error {
				held, err := tx.ClaimSetting(w.ctx, "seed", value)
				if held != want {
					t.Errorf("claim of %q: got %q, want %q", value, held, want)
				}
				return err
			})
		}
		claim("first", "first")
		claim("second", "first")
		w.tx(func(tx *store.Tx) error { return tx.SetSetting(w.ctx, "seed", "changed") })
		claim("third", "changed")
	})
	t.Run("concurrent claims have one winner, whose value all get", func(t *testing.T) {
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
				t.Fatalf("claims returned different winners: %q", held)
			}
		}
	})
}
