package storetest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// lister reads one page of a list and returns its ids.
type lister func(store.Page) (ids []string, next string, err error)

func testPage(t *testing.T, database func(*testing.T) string) {
	t.Run("pages of projects skip and repeat nothing during writes (A10)", func(t *testing.T) {
		for seed := range uint64(6) {
			walkProjects(t, newWorld(t, database), seed)
		}
	})
	t.Run("pages of exports are newest first and filtered", testPageExports(database))
	t.Run("pages of keys are newest first and of one organization", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		var want []string
		for i := range 7 {
			want = append([]string{w.key(a.ID, fmt.Sprint("a", i)).ID}, want...)
			w.key(b.ID, fmt.Sprint("b", i))
			w.clock.advance(1000)
		}
		w.wantWalk(want, 3, func(p store.Page) ([]string, string, error) {
			list, next, err := w.s.ListKeys(w.ctx, a.ID, p)
			for _, k := range list {
				if k.OrganizationID != a.ID {
					t.Errorf("another organization's key is listed: %+v", k)
				}
			}
			return ids(list, next, err, func(i int) string { return list[i].ID })
		})
	})
	t.Run("a cursor that no list returned is refused", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		raw := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
		for _, cursor := range []string{"?", "x", raw("12"), raw("x.key_a"), raw("1.a\x00b"), raw("1.\xff\xfe"),
			raw("99999999999999999999.a"), raw("1." + fmt.Sprintf("%070d", 1))} {
			p := store.Page{Limit: 2, Cursor: cursor}
			_, _, keys := w.s.ListKeys(w.ctx, o.ID, p)
			_, _, projects := w.s.ListProjects(w.ctx, o.ID, p)
			_, _, exports := w.s.ListExports(w.ctx, o.ID, "", p)
			for _, err := range []error{keys, projects, exports} {
				w.wantFault(err, fault.Invalid, "invalid_field")
			}
		}
	})
}

func ids[T any](list []T, next string, err error, id func(i int) string) ([]string, string, error) {
	out := make([]string, len(list))
	for i := range list {
		out[i] = id(i)
	}
	return out, next, err
}

// wantWalk follows the cursors to the end and checks the ids.
func (w *world) wantWalk(want []string, limit int, list lister) {
	w.t.Helper()
	var got []string
	for page := (store.Page{Limit: limit}); ; {
		found, next, err := list(page)
		w.ok(err)
		got = append(got, found...)
		if len(found) > limit || (next != "" && len(found) != limit) {
			w.t.Errorf("a page of %d has %d entries, next %q", limit, len(found), next)
		}
		if page.Cursor = next; next == "" {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("pages of %d gave %v\n want %v", limit, got, want)
	}
}

func testPageExports(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.export(w.organization("b").ID)
		w.take("w")
		var all, failed []string
		for i := range 9 {
			j := w.export(o.ID)
			all = append([]string{j.ID}, all...)
			if i%2 == 0 {
				w.ok(w.s.FailExport(w.ctx, hold(w.take("w")), "No such page."))
				failed = append([]string{j.ID}, failed...)
			} else {
				w.take("w")
			}
			w.clock.advance(1000)
		}
		for _, limit := range []int{1, 3, 9, 20} {
			for status, want := range map[export.Status][]string{"": all, export.Failed: failed,
				export.Completed: nil} {
				w.wantWalk(want, limit, func(p store.Page) ([]string, string, error) {
					list, next, err := w.s.ListExports(w.ctx, o.ID, status, p)
					return ids(list, next, err, func(i int) string { return list[i].ID })
				})
			}
		}
	}
}

// A10: cursors are followed while projects are created and deleted. Every project that exists both at the start and at
// the end must be seen, and no project may be seen twice. Times repeat, so that the order within one microsecond also
// matters.
func walkProjects(t *testing.T, w *world, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	o := w.organization("a")
	living, stayed := map[string]bool{}, map[string]bool{}
	add := func() string {
		p := w.project(o.ID, fmt.Sprintf("d%d.example.com", rng.Uint64()))
		living[p.ID] = true
		if rng.IntN(3) == 0 {
			w.clock.advance(1000)
		}
		return p.ID
	}
	for range 30 {
		stayed[add()] = true
	}
	remove := func() {
		for p := range living {
			w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, p) })
			delete(living, p)
			delete(stayed, p)
			return
		}
	}
	seen := map[string]bool{}
	for page := (store.Page{Limit: 1 + rng.IntN(5)}); ; {
		list, next, err := w.s.ListProjects(w.ctx, o.ID, page)
		w.ok(err)
		for _, p := range list {
			if seen[p.ID] || !living[p.ID] || len(p.Domains) != 1 {
				t.Errorf("seed %d: %s seen before %v, alive %v, domains %v", seed, p.ID, seen[p.ID], living[p.ID],
					p.Domains)
			}
			seen[p.ID] = true
		}
		for range rng.IntN(4) {
			[]func(){func() { add() }, remove}[rng.IntN(2)]()
		}
		if page.Cursor = next; next == "" {
			break
		}
	}
	for p := range stayed {
		if !seen[p] {
			t.Errorf("seed %d: %s was skipped", seed, p)
		}
	}
}
