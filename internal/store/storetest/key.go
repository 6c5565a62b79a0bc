package storetest

import (
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// key stores a key with the given hash for the organization.
func (w *world) key(organizationID, hash string) (k account.Key) {
	w.t.Helper()
	expires := w.clock.now().Add(time.Hour)
	w.tx(func(tx *store.Tx) (err error) {
		k, err = tx.CreateKey(w.ctx, account.Key{OrganizationID: organizationID, Label: "ci", Prefix: "lk_ab",
			Hash: hash, Scopes: []account.Scope{account.ScopeRead},
			Addresses: []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32")},
			CreatedBy: "key_parent", CreatedAt: w.clock.now(), ExpiresAt: &expires})
		return err
	})
	return k
}

func (w *world) findKey(hash string) account.Key {
	w.t.Helper()
	p, err := w.s.FindPrincipal(w.ctx, hash)
	w.ok(err)
	return p.Key
}

func testKey(t *testing.T, database func(*testing.T) string) {
	t.Run("is found by its hash, with its organization", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		made := w.key(o.ID, "hash a")
		p, err := w.s.FindPrincipal(w.ctx, "hash a")
		w.ok(err)
		if !reflect.DeepEqual(p.Key, made) || p.Organization != o || !id.Has(id.Key, made.ID) {
			t.Errorf("stored %+v\n found %+v", made, p)
		}
		_, err = w.s.FindPrincipal(w.ctx, "hash b")
		w.wantFault(err, fault.NotFound, "unknown_key")
	})
	t.Run("its hash is unique", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.key(a.ID, "hash")
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateKey(w.ctx, account.Key{OrganizationID: b.ID, Hash: "hash", CreatedAt: w.clock.now()})
			return err
		})
		if err == nil {
			t.Error("two keys share a hash")
		}
	})
	t.Run("a key without limits is read back without limits", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateKey(w.ctx, account.Key{OrganizationID: o.ID, Hash: "h", CreatedAt: w.clock.now()})
			return err
		})
		k := w.findKey("h")
		if len(k.Addresses) != 0 || len(k.Scopes) != 0 || k.ExpiresAt != nil || k.LastUsedAt != nil ||
			k.RevokedAt != nil {
			t.Errorf("found %+v", k)
		}
	})
	t.Run("is revoked permanently, only by its organization", testKeyRevoke(database))
	t.Run("is revoked alone, or with the keys and links that it created", testKeyChildren(database))
	t.Run("records its latest use", func(t *testing.T) {
		w := newWorld(t, database)
		k := w.key(w.organization("a").ID, "h")
		late, early := w.clock.now().Add(time.Hour), w.clock.now().Add(time.Minute)
		for _, at := range []time.Time{late, early} { // the update of a slow replica comes last and must have no effect
			w.ok(w.s.TouchKey(w.ctx, k.ID, at))
		}
		if used := w.findKey("h").LastUsedAt; used == nil || !used.Equal(late.Truncate(time.Microsecond)) {
			t.Errorf("last used %v, want %v", used, late)
		}
	})
}

func testKeyRevoke(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		k := w.key(a.ID, "h")
		revoke := func(organizationID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.RevokeKey(w.ctx, organizationID, k.ID, false)
				return err
			})
		}
		w.wantFault(revoke(b.ID), fault.NotFound, "unknown_key")
		if w.findKey("h").RevokedAt != nil {
			t.Fatal("another organization revoked the key")
		}
		at := w.clock.now().Truncate(time.Microsecond)
		w.ok(revoke(a.ID))
		w.clock.advance(time.Hour)
		w.ok(revoke(a.ID))
		if r := w.findKey("h").RevokedAt; r == nil || !r.Equal(at) {
			t.Errorf("revoked at %v, want the first time, %v", r, at)
		}
	}
}

func testKeyChildren(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		made := map[string]account.Key{}
		add := func(hash, organizationID, by string) {
			w.clock.advance(time.Second)
			w.tx(func(tx *store.Tx) (err error) {
				made[hash], err = tx.CreateKey(w.ctx,
					account.Key{OrganizationID: organizationID, Hash: hash, CreatedBy: by, CreatedAt: w.clock.now()})
				return err
			})
		}
		add("parent", a.ID, "")
		add("child", a.ID, made["parent"].ID)
		add("grandchild", a.ID, made["child"].ID)
		add("other", a.ID, "mem_x")
		add("stranger", b.ID, made["parent"].ID) // such a key cannot exist, and must not be reached
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateInvitation(w.ctx, account.Invitation{OrganizationID: a.ID, Kind: account.InviteJoin,
				Email: "new@example.com", Role: account.RoleEditor,
				Hash: "link", CreatedBy: made["grandchild"].ID, ExpiresAt: w.clock.now().Add(time.Hour)})
			return err
		})
		revoke := func(children bool) (gone store.Revoked) {
			w.tx(func(tx *store.Tx) (err error) {
				gone, err = tx.RevokeKey(w.ctx, a.ID, made["parent"].ID, children)
				return err
			})
			return gone
		}
		if gone := revoke(false); len(gone.Children)+len(gone.Links) != 0 || w.findKey("child").RevokedAt != nil {
			t.Errorf("revoked with it: %+v", gone)
		}
		gone := revoke(true)
		if !slices.Equal(gone.Children, []string{made["child"].ID, made["grandchild"].ID}) || len(gone.Links) != 1 ||
			gone.Links[0].Email != "new@example.com" {
			t.Errorf("revoked with it: %+v", gone)
		}
		for hash, want := range map[string]bool{"parent": true, "child": true, "grandchild": true, "other": false,
			"stranger": false} {
			if revoked := w.findKey(hash).RevokedAt != nil; revoked != want {
				t.Errorf("%s: revoked %v", hash, revoked)
			}
		}
		if again := revoke(true); len(again.Children)+len(again.Links) != 0 {
			t.Errorf("revoked again: %+v", again)
		}
	}
}
