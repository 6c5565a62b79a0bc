package signin_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

// deactivate sets whether a person is deactivated in the organization's directory.
func (r *rig) deactivate(email string, off bool) {
	r.Helper()
	r.tx(func(tx *store.Tx) error {
		list, _, err := tx.ListDirectoryUsers(r.Context(), r.org.ID, store.DirectoryQuery{Limit: 1,
			Where: []store.DirectoryCondition{{Field: store.ByEmail, Value: email}}})
		if err != nil || len(list) == 0 {
			list = []account.DirectoryUser{{OrganizationID: r.org.ID, UserName: email, Email: email}}
		}
		list[0].Deactivated = off
		_, err = tx.SaveDirectoryUser(r.Context(), list[0])
		return err
	})
}

// A person deactivated by the directory gets no role from the provider's groups or by default, and can sign in again
// once active. A member created by the directory is the same person who signs in with the address.
func TestDeactivatedPersonCannotSignIn(t *testing.T) {
	r, p := provided(t, account.RoleViewer)
	r.member("owner@example.com", account.RoleOwner)
	r.deactivate("one@example.com", true)
	for _, groups := range [][]string{nil, {"staff"}, {"heads"}} {
		_, err := r.arrive(p, someone("one@example.com", groups...), "/dashboard")
		r.refused(err, "member_deactivated")
		if _, err := r.store.FindPersonByEmail(t.Context(), "one@example.com"); !fault.Is(err, fault.NotFound) {
			t.Error("a refused sign-in left an account behind")
		}
	}
	other := r.organization("Other")
	r.tx(func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), other.ID, "one@example.com", account.RoleViewer)
		return err
	})
	in, err := r.arrive(p, someone("one@example.com", "staff"), "/dashboard")
	r.ok(err)
	if v := r.visit(in.Token); v.Membership == nil || v.Membership.Organization.ID != other.ID {
		t.Errorf("membership in the other organization: %+v", v.Membership)
	}
	r.deactivate("one@example.com", false)
	var m account.Member
	r.tx(func(tx *store.Tx) (err error) { // as when provisioned
		m, err = tx.AddMember(t.Context(), r.org.ID, "one@example.com", account.RoleEditor)
		return err
	})
	in, err = r.arrive(p, someone("one@example.com"), "/dashboard")
	r.ok(err)
	if v := r.visit(in.Token); v.Membership == nil || v.Membership.Member != m {
		t.Errorf("%+v is not %+v", v.Membership, m)
	}
}

func TestDeactivatedPersonCannotUseInvitation(t *testing.T) {
	r := newRig(t)
	link := r.invite(account.InviteJoin, "one@example.com", account.RoleAdmin, "operator")
	r.deactivate("one@example.com", true)
	_, err := r.service.Join(t.Context(), link, signin.Joining{Password: goodPassword, Browser: r.browser("")})
	r.refused(err, "member_deactivated")
}
