package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) member(organizationID, email string, role account.Role) (m account.Member) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		m, err = tx.AddMember(w.ctx, organizationID, email, role)
		return err
	})
	w.clock.advance(1000)
	return m
}

func testMember(t *testing.T, database func(*testing.T) string) {
	t.Run("is found only in its organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		m := w.member(a.ID, "one@example.com", account.RoleEditor)
		byID, err1 := w.s.FindMember(w.ctx, a.ID, m.ID)
		byEmail, err2 := w.s.FindMemberByEmail(w.ctx, a.ID, "one@example.com")
		if byID != m || byEmail != m {
			t.Errorf("stored %+v, found %+v (%v) and %+v (%v)", m, byID, err1, byEmail, err2)
		}
		_, err1 = w.s.FindMember(w.ctx, b.ID, m.ID)
		_, err2 = w.s.FindMemberByEmail(w.ctx, b.ID, m.Email)
		_, err3 := w.s.FindColleague(w.ctx, b.ID, m.ID)
		for _, err := range []error{err1, err2, err3} {
			w.wantFault(err, fault.NotFound, "unknown_member")
		}
	})
	t.Run("is shown with the account, if there is one", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		m, stranger := w.member(o.ID, "one@example.com", account.RoleEditor),
			w.member(o.ID, "two@example.com", account.RoleViewer)
		p, err := w.person(account.Person{Email: "one@example.com", Name: "One", TOTPSealed: "s"})
		w.ok(err)
		w.session(p, o.ID, "h1")
		w.clock.advance(1e9)
		last := w.session(p, "", "h2")
		got, err := w.s.FindColleague(w.ctx, o.ID, m.ID)
		if err != nil || got.Member != m || got.PersonID != p.ID || got.Name != "One" || !got.TwoFactor ||
			got.SeenAt == nil || !got.SeenAt.Equal(last.SeenAt) {
			t.Errorf("%+v (error %v)", got, err)
		}
		list, err := w.s.ListMembers(w.ctx, o.ID)
		w.ok(err)
		if len(list) != 2 || list[0].ID != m.ID || !list[0].TwoFactor ||
			list[1] != (account.Colleague{Member: stranger}) {
			t.Errorf("%+v", list)
		}
	})
	t.Run("an address lists all its organizations", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		in, also := w.member(a.ID, "one@example.com", account.RoleOwner),
			w.member(b.ID, "one@example.com", account.RoleViewer)
		w.member(b.ID, "two@example.com", account.RoleOwner)
		list, err := w.s.ListMemberships(w.ctx, "one@example.com")
		w.ok(err)
		if len(list) != 2 || list[0] != (account.Membership{Member: in, Organization: a}) ||
			list[1] != (account.Membership{Member: also, Organization: b}) {
			t.Errorf("%+v", list)
		}
	})
	t.Run("a removed member is signed out there", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		m := w.member(a.ID, "one@example.com", account.RoleViewer)
		w.member(b.ID, "one@example.com", account.RoleViewer)
		p, other := w.somebody("one@example.com"), w.somebody("two@example.com")
		w.session(p, a.ID, "h1")
		w.session(p, b.ID, "h2")
		w.session(other, a.ID, "h3")
		w.tx(func(tx *store.Tx) error { return tx.RemoveMember(w.ctx, m) })
		_, err := w.s.FindVisitor(w.ctx, "h1")
		w.wantFault(err, fault.NotFound, "unknown_session")
		for _, hash := range []string{"h2", "h3"} {
			if _, err := w.s.FindVisitor(w.ctx, hash); err != nil {
				t.Errorf("%s: %v", hash, err)
			}
		}
		_, err = w.s.FindMember(w.ctx, a.ID, m.ID)
		w.wantFault(err, fault.NotFound, "unknown_member")
	})
	t.Run("the last owner remains owner", testLastOwner(database))
}

func testLastOwner(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		// an owner of another organization does not count
		w.member(w.organization("b").ID, "other@example.com", account.RoleOwner)
		owner := w.member(o.ID, "one@example.com", account.RoleOwner)
		w.member(o.ID, "two@example.com", account.RoleAdmin)
		remove := func(m account.Member) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.RemoveMember(w.ctx, m) })
		}
		demote := func(m account.Member) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.SetRole(w.ctx, m, account.RoleViewer) })
		}
		w.wantFault(remove(owner), fault.Conflict, "last_owner")
		w.wantFault(demote(owner), fault.Conflict, "last_owner")
		if found, err := w.s.FindMember(w.ctx, o.ID, owner.ID); err != nil || found != owner {
			t.Errorf("the owner is %+v (error %v)", found, err)
		}
		// If owners remove or demote each other at the same time, in transactions that record the event first or last,
		// one owner is left.
		for round := range 6 {
			owners := []account.Member{owner}
			for i := range 3 {
				owners = append(owners, w.member(o.ID, fmt.Sprint("more", round, i, "@example.com"), account.RoleOwner))
			}
			var refused atomic.Int64
			w.ok(together(len(owners), func(i int) error {
				err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
					record := func() error {
						return tx.Record(w.ctx, event.New(o.ID, "a", "member.remove", owners[i].ID, "", w.clock.now(),
							nil))
					}
					if round%2 == 0 {
						if err := record(); err != nil {
							return err
						}
					}
					change := tx.RemoveMember(w.ctx, owners[i])
					if round%3 == 0 {
						change = tx.SetRole(w.ctx, owners[i], account.RoleViewer)
					}
					if change != nil || round%2 == 0 {
						return change
					}
					return record()
				})
				if fault.HasCode(err, "last_owner") {
					refused.Add(1)
					return nil
				}
				return err
			}))
			left, err := w.s.CountOwners(w.ctx, o.ID)
			w.ok(err)
			if left != 1 || refused.Load() != 1 {
				t.Fatalf("round %d: %d owners are left, %d refused", round, left, refused.Load())
			}
			list, err := w.s.ListMembers(w.ctx, o.ID)
			w.ok(err)
			for _, m := range list {
				if m.Role == account.RoleOwner {
					owner = m.Member
				}
			}
		}
	}
}
