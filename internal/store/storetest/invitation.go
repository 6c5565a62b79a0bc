package storetest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) invitation(i account.Invitation) account.Invitation {
	w.t.Helper()
	if i.ExpiresAt.IsZero() {
		i.ExpiresAt = w.clock.now().Add(time.Hour)
	}
	if i.Kind == "" {
		i.Kind, i.Role = account.InviteJoin, account.RoleEditor
	}
	w.tx(func(tx *store.Tx) (err error) {
		i, err = tx.CreateInvitation(w.ctx, i)
		return err
	})
	w.clock.advance(1000)
	return i
}

// wantOpen fails unless the links with these ids, and no others, still work in an organization.
func (w *world) wantOpen(organizationID string, ids ...string) {
	w.t.Helper()
	list, err := w.s.ListInvitations(w.ctx, organizationID)
	w.ok(err)
	bad := len(list) != len(ids)
	for i := range ids {
		bad = bad || list[i].ID != ids[i] || !list[i].Open(w.clock.now())
	}
	if bad {
		w.t.Errorf("open links %+v, want %v", list, ids)
	}
}

func (w *world) use(invitationID string) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.UseInvitation(w.ctx, invitationID) })
}

func testInvitation(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged by the hash of its secret", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		made := w.invitation(account.Invitation{OrganizationID: o.ID, Email: "one@example.com", Hash: "h1",
			CreatedBy: "key_a"})
		found, err := w.s.FindInvitation(w.ctx, "h1")
		if err != nil || found != made || !id.Has(id.Invitation, made.ID) {
			t.Errorf("stored %+v, found %+v (error %v)", made, found, err)
		}
		_, err = w.s.FindInvitation(w.ctx, "h2")
		w.wantFault(err, fault.NotFound, "unknown_invitation")
	})
	t.Run("is listed while it is valid, newest first", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		first := w.invitation(account.Invitation{OrganizationID: a.ID, Email: "1@example.com", Hash: "h1"})
		short := w.invitation(account.Invitation{OrganizationID: a.ID, Email: "2@example.com", Hash: "h2",
			ExpiresAt: w.clock.now().Add(time.Minute)})
		w.invitation(account.Invitation{OrganizationID: b.ID, Email: "1@example.com", Hash: "h3"})
		w.wantOpen(a.ID, short.ID, first.ID)
		w.clock.advance(time.Minute)
		w.wantOpen(a.ID, first.ID)
		w.wantFault(w.use(short.ID), fault.NotFound, "unknown_invitation")
		times, err := w.s.ListInvitationTimes(w.ctx, a.ID, 10)
		if err != nil || len(times) != 2 || !times[0].Equal(short.CreatedAt) || !times[1].Equal(first.CreatedAt) {
			t.Errorf("times %v (error %v)", times, err)
		}
		if times, err = w.s.ListInvitationTimes(w.ctx, a.ID, 1); err != nil || len(times) != 1 ||
			!times[0].Equal(short.CreatedAt) {
			t.Errorf("newest %v (error %v)", times, err)
		}
	})
	t.Run("replaces an earlier link of its kind for the address", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		elsewhere := w.invitation(account.Invitation{OrganizationID: b.ID, Email: "1@example.com", Hash: "h0"})
		first := w.invitation(account.Invitation{OrganizationID: a.ID, Email: "1@example.com", Hash: "h1"})
		reset := w.invitation(account.Invitation{OrganizationID: a.ID, Kind: account.InvitePassword,
			Email: "1@example.com", Hash: "h2"})
		anyone := w.invitation(account.Invitation{OrganizationID: a.ID, Hash: "h3"})
		also := w.invitation(account.Invitation{OrganizationID: a.ID, Hash: "h4"})
		second := w.invitation(account.Invitation{OrganizationID: a.ID, Email: "1@example.com", Hash: "h5"})
		w.wantOpen(a.ID, second.ID, also.ID, anyone.ID, reset.ID)
		w.wantOpen(b.ID, elsewhere.ID)
		w.wantFault(w.use(first.ID), fault.NotFound, "unknown_invitation")
	})
	t.Run("is used once by ten concurrent requests", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		i := w.invitation(account.Invitation{OrganizationID: o.ID, Hash: "h1"})
		var used atomic.Int64
		w.ok(together(10, func(int) error {
			err := w.use(i.ID)
			if err == nil {
				used.Add(1)
			} else if !fault.HasCode(err, "unknown_invitation") {
				return err
			}
			return nil
		}))
		if used.Load() != 1 {
			t.Errorf("it was used %d times", used.Load())
		}
		w.wantOpen(o.ID)
		if found, err := w.s.FindInvitation(w.ctx, "h1"); err != nil || found.UsedAt == nil ||
			found.Open(w.clock.now()) {
			t.Errorf("%+v (error %v)", found, err)
		}
	})
	t.Run("a used password link revokes the person's other ones", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		link := func(o account.Organization, kind account.InvitationKind, email, hash string) account.Invitation {
			return w.invitation(account.Invitation{OrganizationID: o.ID, Kind: kind, Role: account.RoleViewer, Email: email,
				Hash: hash})
		}
		used := link(a, account.InvitePassword, "1@example.com", "h1")
		other := link(b, account.InvitePassword, "1@example.com", "h2")
		join := link(b, account.InviteJoin, "1@example.com", "h3")
		colleague := link(b, account.InvitePassword, "2@example.com", "h4")
		w.ok(w.use(used.ID))
		w.wantOpen(a.ID)
		w.wantOpen(b.ID, colleague.ID, join.ID)
		w.wantFault(w.use(other.ID), fault.NotFound, "unknown_invitation")
		w.wantFault(w.use(used.ID), fault.NotFound, "unknown_invitation")
		later := link(a, account.InvitePassword, "1@example.com", "h5")
		w.ok(w.use(join.ID)) // this does not affect password links
		w.wantOpen(a.ID, later.ID)
		w.ok(w.use(later.ID))
	})
	t.Run("matching links are withdrawn, only in their organization", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		mine := func(hash, by string) account.Invitation {
			return account.Invitation{OrganizationID: a.ID, Email: hash + "@example.com", Hash: hash, CreatedBy: by}
		}
		one, two, kept, used := w.invitation(mine("h1", "mem_x")), w.invitation(mine("h2", "mem_x")),
			w.invitation(mine("h3", "mem_y")), w.invitation(mine("h4", "mem_x"))
		foreign := w.invitation(account.Invitation{OrganizationID: b.ID, Hash: "h5", CreatedBy: "mem_x"})
		w.ok(w.use(used.ID))
		var gone []account.Invitation
		w.tx(func(tx *store.Tx) (err error) {
			gone, err = tx.WithdrawLinks(w.ctx, a.ID, func(i account.Invitation) bool { return i.CreatedBy == "mem_x" })
			return err
		})
		if len(gone) != 2 || gone[0].RevokedAt == nil ||
			gone[0].ID+gone[1].ID != one.ID+two.ID && gone[0].ID+gone[1].ID != two.ID+one.ID {
			t.Errorf("%+v", gone)
		}
		w.wantOpen(a.ID, kept.ID)
		w.wantOpen(b.ID, foreign.ID)
		w.wantFault(w.use(one.ID), fault.NotFound, "unknown_invitation")
	})
	t.Run("is revoked only by its organization, and only before use", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		i := w.invitation(account.Invitation{OrganizationID: a.ID, Hash: "h1"})
		revoke := func(organizationID, invitationID string) (out account.Invitation, err error) {
			err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
				out, err = tx.RevokeInvitation(w.ctx, organizationID, invitationID)
				return err
			})
			return out, err
		}
		_, err := revoke(b.ID, i.ID)
		w.wantFault(err, fault.NotFound, "unknown_invitation")
		w.wantOpen(a.ID, i.ID)
		first, err := revoke(a.ID, i.ID)
		w.ok(err)
		w.clock.advance(time.Minute)
		again, err := revoke(a.ID, i.ID)
		w.ok(err)
		if first.RevokedAt == nil || !first.RevokedAt.Equal(*again.RevokedAt) || first.ID != i.ID {
			t.Errorf("withdrawn %+v, then %+v", first, again)
		}
		w.wantFault(w.use(i.ID), fault.NotFound, "unknown_invitation")
		used := w.invitation(account.Invitation{OrganizationID: a.ID, Hash: "h2"})
		w.ok(w.use(used.ID))
		_, err = revoke(a.ID, used.ID)
		w.wantFault(err, fault.NotFound, "unknown_invitation")
	})
}
