package storetest

import (
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) person(p account.Person) (account.Person, error) {
	err := w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		p, err = tx.CreatePerson(w.ctx, p)
		return err
	})
	return p, err
}

// somebody stores a person with the given address.
func (w *world) somebody(email string) account.Person {
	w.t.Helper()
	p, err := w.person(account.Person{Email: email, PasswordHash: "x"})
	w.ok(err)
	return p
}

func testPerson(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged by id, address and identity", func(t *testing.T) {
		w := newWorld(t, database)
		made, err := w.person(account.Person{Email: "one@example.com", Name: "Ünal", PasswordHash: "$argon2id$…",
			Issuer: "https://id.example", Subject: "1",
			TOTPSealed: "sealed", TOTPStep: 7, Recovery: []string{"a", "b"}})
		w.ok(err)
		w.somebody("two@example.com")
		byID, err1 := w.s.FindPerson(w.ctx, made.ID)
		byEmail, err2 := w.s.FindPersonByEmail(w.ctx, "one@example.com")
		byIdentity, err3 := w.s.FindPersonByIdentity(w.ctx, "https://id.example", "1")
		for i, found := range []account.Person{byID, byEmail, byIdentity} {
			if !reflect.DeepEqual(found, made) || !id.Has(id.Person, found.ID) {
				t.Errorf("look-up %d: stored %+v, found %+v (errors %v, %v, %v)", i, made, found, err1, err2, err3)
			}
		}
		_, err = w.s.FindPersonByEmail(w.ctx, "none@example.com")
		w.wantFault(err, fault.NotFound, "unknown_person")
		_, err = w.s.FindPersonByIdentity(w.ctx, "", "") // users who sign in with a password have an empty identity
		w.wantFault(err, fault.NotFound, "unknown_person")
		_, err = w.s.FindPerson(w.ctx, "usr_none")
		w.wantFault(err, fault.NotFound, "unknown_person")
	})
	t.Run("its address and its identity are unique", func(t *testing.T) {
		w := newWorld(t, database)
		one, err := w.person(account.Person{Email: "one@example.com", Issuer: "https://id.example", Subject: "1"})
		w.ok(err)
		two := w.somebody("two@example.com")
		w.somebody("three@example.com") // any number of people may have no identity
		_, err = w.person(account.Person{Email: "one@example.com"})
		w.wantFault(err, fault.Conflict, "account_exists")
		two.Issuer, two.Subject = one.Issuer, one.Subject
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.UpdatePerson(w.ctx, two) }), fault.Conflict,
			"identity_taken")
	})
	t.Run("every field but the address can change", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.somebody("one@example.com")
		p.Name, p.PasswordHash, p.Issuer, p.Subject, p.TOTPSealed, p.TOTPStep, p.Recovery = "n", "h", "i", "s", "t", 3,
			[]string{"r"}
		w.tx(func(tx *store.Tx) error { return tx.UpdatePerson(w.ctx, p) })
		if found, err := w.s.FindPerson(w.ctx, p.ID); err != nil || !reflect.DeepEqual(found, p) {
			t.Errorf("stored %+v, found %+v (error %v)", p, found, err)
		}
	})
	t.Run("a code is used once by concurrent requests", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.somebody("one@example.com")
		use := func(step int64) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.UseTOTPStep(w.ctx, p.ID, step) })
		}
		var used atomic.Int64
		w.ok(together(10, func(int) error {
			err := use(5)
			if err == nil {
				used.Add(1)
			} else if !fault.HasCode(err, "invalid_code") {
				return err
			}
			return nil
		}))
		if used.Load() != 1 {
			t.Errorf("the code was used %d times", used.Load())
		}
		w.wantFault(use(4), fault.Unauthenticated, "invalid_code")
		w.ok(use(6))
	})
}
