package storetest

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testCertificate(t *testing.T, database func(*testing.T) string) {
	t.Run("files are stored, replaced, listed by folder and deleted", func(t *testing.T) {
		w := newWorld(t, database)
		for _, name := range []string{"ca/a.test/key", "ca/a.test/crt", "ca/a.testing/key", "ca/ä/key", "other"} {
			w.ok(w.s.PutCertificateFile(w.ctx, store.CertificateFile{Name: name, Sealed: "1:" + name, Size: 1}))
		}
		w.ok(w.s.PutCertificateFile(w.ctx, store.CertificateFile{Name: "other", Sealed: "changed", Size: 7}))
		f, err := w.s.FindCertificateFile(w.ctx, "other")
		w.ok(err)
		if f.Sealed != "changed" || f.Size != 7 || f.UpdatedAt.IsZero() {
			t.Errorf("%+v", f)
		}
		list := func(name string, want ...string) {
			t.Helper()
			all, err := w.s.ListCertificateFiles(w.ctx, name)
			w.ok(err)
			var names []string
			for _, f := range all {
				names = append(names, f.Name)
			}
			slices.Sort(names) // engines use different sort orders
			if !slices.Equal(names, want) {
				t.Errorf("below %q: %q, want %q", name, names, want)
			}
		}
		list("ca/a.test", "ca/a.test/crt", "ca/a.test/key")
		list("ca/ä", "ca/ä/key")
		list("other", "other")
		list("", "ca/a.test/crt", "ca/a.test/key", "ca/a.testing/key", "ca/ä/key", "other")
		w.ok(w.s.DeleteCertificateFiles(w.ctx, "ca/a.test"))
		w.ok(w.s.DeleteCertificateFiles(w.ctx, "nothing"))
		list("", "ca/a.testing/key", "ca/ä/key", "other")
		if _, err := w.s.FindCertificateFile(w.ctx, "ca/a.test/key"); !fault.Is(err, fault.NotFound) {
			t.Errorf("deleted file: %v", err)
		}
	})
	t.Run("a lock has one holder until it expires or is released", func(t *testing.T) {
		w := newWorld(t, database)
		lock := func(holder string, want bool) {
			t.Helper()
			held, err := w.s.LockCertificate(w.ctx, "a.test", holder, time.Minute)
			w.ok(err)
			if held != want {
				t.Errorf("%s holds it: %v, want %v", holder, held, want)
			}
		}
		lock("one", true)
		lock("two", false)
		lock("one", true)
		w.ok(w.s.UnlockCertificate(w.ctx, "a.test", "two"))
		lock("two", false)
		w.ok(w.s.UnlockCertificate(w.ctx, "a.test", "one"))
		lock("two", true)
		w.clock.advance(time.Minute)
		lock("one", true)
	})
	t.Run("concurrent requests for a lock have one winner", func(t *testing.T) {
		w := newWorld(t, database)
		other := w.replica()
		var winners atomic.Int64
		w.ok(together(20, func(i int) error {
			held, err := []*store.Store{w.s, other}[i%2].LockCertificate(w.ctx, "a.test", string(rune('a'+i)), time.Minute)
			if held {
				winners.Add(1)
			}
			return err
		}))
		if winners.Load() != 1 {
			t.Errorf("%d holders", winners.Load())
		}
	})
}
