package storetest

import (
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// described stores a directory user.
func (w *world) described(u account.DirectoryUser) (made account.DirectoryUser, err error) {
	w.t.Helper()
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, err = tx.SaveDirectoryUser(w.ctx, u)
		return err
	})
	w.clock.advance(1000)
	return made, err
}

// group stores a group that has members.
func (w *world) group(organizationID, name, external string, userIDs ...string) (g account.DirectoryGroup) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		g, err = tx.SaveDirectoryGroup(w.ctx,
			account.DirectoryGroup{OrganizationID: organizationID, DisplayName: name, ExternalID: external})
		for _, one := range userIDs {
			if err == nil {
				err = tx.AddGroupMember(w.ctx, organizationID, g.ID, one)
			}
		}
		return err
	})
	w.clock.advance(1000)
	return g
}

func (w *world) userIDs(organizationID string, q store.DirectoryQuery) (ids []string, total int64) {
	w.t.Helper()
	list, total, err := w.s.ListDirectoryUsers(w.ctx, organizationID, q)
	w.ok(err)
	for _, u := range list {
		ids = append(ids, u.ID)
	}
	return ids, total
}

func testDirectory(t *testing.T, database func(*testing.T) string) {
	t.Run("lists the members and deactivated users of one organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		plain := w.member(a.ID, "one@example.com", account.RoleOwner)
		linked := w.member(a.ID, "two@example.com", account.RoleEditor)
		w.member(b.ID, "one@example.com", account.RoleViewer)
		u, err := w.described(account.DirectoryUser{ID: linked.ID, OrganizationID: a.ID, UserName: "Two", Email: linked.Email,
			ExternalID: "x", DisplayName: "<b>Two</b>", GivenName: "T", FamilyName: "Wo", Joined: true,
			CreatedAt: linked.CreatedAt})
		w.ok(err)
		gone, err := w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "gone", Email: "gone@example.com",
			Deactivated: true})
		w.ok(err)
		u.MemberID, u.Role = linked.ID, account.RoleEditor
		found, err := w.s.FindDirectoryUser(w.ctx, a.ID, linked.ID)
		if err != nil || found != u {
			t.Errorf("stored %+v, found %+v (error %v)", u, found, err)
		}
		want := account.DirectoryUser{ID: plain.ID, OrganizationID: a.ID, UserName: plain.Email, Email: plain.Email,
			Joined: true, MemberID: plain.ID, Role: account.RoleOwner, CreatedAt: plain.CreatedAt, UpdatedAt: plain.CreatedAt}
		if found, err := w.s.FindDirectoryUser(w.ctx, a.ID, plain.ID); err != nil || found != want {
			t.Errorf("%+v (error %v)", found, err)
		}
		for _, one := range []string{plain.ID, linked.ID, gone.ID} {
			_, err := w.s.FindDirectoryUser(w.ctx, b.ID, one)
			w.wantFault(err, fault.NotFound, "unknown_user")
		}
		for name, c := range map[string]struct {
			where []store.DirectoryCondition
			want  []string
		}{
			"all":       {nil, []string{plain.ID, linked.ID, gone.ID}},
			"name":      {[]store.DirectoryCondition{{Field: store.ByName, Value: "two"}}, []string{linked.ID}},
			"no name":   {[]store.DirectoryCondition{{Field: store.ByName, Value: "two@example.com"}}, nil},
			"address":   {[]store.DirectoryCondition{{Field: store.ByEmail, Value: "one@example.com"}}, []string{plain.ID}},
			"external":  {[]store.DirectoryCondition{{Field: store.ByExternalID, Value: "x"}}, []string{linked.ID}},
			"active":    {[]store.DirectoryCondition{{Field: store.ByActive, Value: "true"}}, []string{plain.ID, linked.ID}},
			"inactive":  {[]store.DirectoryCondition{{Field: store.ByActive, Value: "false"}}, []string{gone.ID}},
			"id of two": {[]store.DirectoryCondition{{Field: store.ByID, Value: gone.ID}, {Field: store.ByEmail, Value: "x"}}, nil},
		} {
			ids, total := w.userIDs(a.ID, store.DirectoryQuery{Where: c.where, Limit: 10})
			if fmt.Sprint(ids) != fmt.Sprint(c.want) || total != int64(len(c.want)) {
				t.Errorf("%s: %v of %d", name, ids, total)
			}
		}
		if ids, total := w.userIDs(a.ID, store.DirectoryQuery{Offset: 1, Limit: 1}); len(ids) != 1 || ids[0] != linked.ID ||
			total != 3 {
			t.Errorf("second page: %v of %d", ids, total)
		}
	})
	t.Run("names are unique regardless of case, and addresses are unique", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		one := account.DirectoryUser{OrganizationID: a.ID, UserName: "One", Email: "one@example.com"}
		_, err := w.described(one)
		w.ok(err)
		_, err = w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "oNE", Email: "two@example.com"})
		w.wantFault(err, fault.Conflict, "user_exists")
		_, err = w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "two", Email: "one@example.com"})
		w.wantFault(err, fault.Conflict, "user_exists")
		one.OrganizationID = b.ID
		_, err = w.described(one)
		w.ok(err)
		w.group(a.ID, "Staff", "")
		w.group(b.ID, "Staff", "")
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.SaveDirectoryGroup(w.ctx, account.DirectoryGroup{OrganizationID: a.ID, DisplayName: "sTAFF"})
			return err
		})
		w.wantFault(err, fault.Conflict, "group_exists")
	})
	t.Run("deactivated users cannot become members", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		u, err := w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "one", Email: "one@example.com",
			Deactivated: true})
		w.ok(err)
		add := func(organizationID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.AddMember(w.ctx, organizationID, "one@example.com", account.RoleViewer)
				return err
			})
		}
		w.wantFault(add(a.ID), fault.Forbidden, "member_deactivated")
		w.ok(add(b.ID))
		if floor, err := w.s.FindSetting(w.ctx, "oldest_program"); err != nil || floor != "26" {
			t.Errorf("programs from %q may run (error %v)", floor, err)
		}
		u.Deactivated = false
		_, err = w.described(u)
		w.ok(err)
		w.ok(add(a.ID))
	})
	t.Run("groups contain users of one organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		one, err := w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "one", Email: "one@example.com"})
		w.ok(err)
		two, err := w.described(account.DirectoryUser{OrganizationID: a.ID, UserName: "two", Email: "two@example.com"})
		w.ok(err)
		foreign, err := w.described(account.DirectoryUser{OrganizationID: b.ID, UserName: "one", Email: "one@example.com"})
		w.ok(err)
		staff := w.group(a.ID, "Staff", "x-1", one.ID, two.ID, two.ID, foreign.ID)
		heads := w.group(a.ID, "Heads", "", two.ID)
		in := func(list []account.GroupMember, err error) (out string) {
			w.ok(err)
			for _, m := range list {
				out += m.GroupName + ":" + m.UserName + " "
			}
			return out
		}
		if got := in(w.s.ListGroupMembers(w.ctx, a.ID, heads.ID, staff.ID)); got != "Staff:one Staff:two Heads:two " {
			t.Error(got)
		}
		if got := in(w.s.ListGroupsOf(w.ctx, a.ID, two.ID)); got != "Staff:two Heads:two " {
			t.Error(got)
		}
		if got := in(w.s.ListGroupMembers(w.ctx, b.ID, heads.ID, staff.ID)) + in(w.s.ListGroupsOf(w.ctx, b.ID, two.ID)); got != "" {
			t.Error(got)
		}
		_, err = w.s.FindDirectoryGroup(w.ctx, b.ID, staff.ID)
		w.wantFault(err, fault.NotFound, "unknown_group")
		list, total, err := w.s.ListDirectoryGroups(w.ctx, a.ID, store.DirectoryQuery{Limit: 5,
			Where: []store.DirectoryCondition{{Field: store.ByGroupMember, Value: one.ID}, {Field: store.ByName, Value: "staff"}}})
		if err != nil || total != 1 || len(list) != 1 || list[0] != staff {
			t.Errorf("%+v %d %v", list, total, err)
		}
		w.tx(func(tx *store.Tx) error { // a call for another organization removes nothing
			if err := tx.RemoveGroupMember(w.ctx, b.ID, staff.ID, one.ID); err != nil {
				return err
			}
			if err := tx.RemoveDirectoryGroup(w.ctx, b.ID, staff.ID); err != nil {
				return err
			}
			return tx.RemoveDirectoryUser(w.ctx, b.ID, one.ID)
		})
		w.tx(func(tx *store.Tx) error {
			if err := tx.RemoveGroupMember(w.ctx, a.ID, staff.ID, one.ID); err != nil {
				return err
			}
			return tx.RemoveDirectoryGroup(w.ctx, a.ID, heads.ID)
		})
		if got := in(w.s.ListGroupMembers(w.ctx, a.ID, heads.ID, staff.ID)); got != "Staff:two " {
			t.Error(got)
		}
		w.tx(func(tx *store.Tx) error { return tx.RemoveDirectoryUser(w.ctx, a.ID, two.ID) })
		if got := in(w.s.ListGroupMembers(w.ctx, a.ID, staff.ID)); got != "" {
			t.Error(got)
		}
	})
}
