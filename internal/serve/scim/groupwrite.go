package scim

import (
	"context"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// memberReader finds the members of groups, in the store or a transaction.
type memberReader interface {
	ListGroupMembers(ctx context.Context, organizationID string, groupIDs ...string) ([]account.GroupMember, error)
}

func (s *server) createGroup(c *call) (res reply, err error) {
	d := groupDraft{DirectoryGroup: account.DirectoryGroup{OrganizationID: c.org()}, wanted: map[string]bool{}}
	if err := d.fill(c.body); err != nil {
		return res, err
	}
	err = s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := s.hold(c, tx); err != nil {
			return err
		}
		made, err := s.storeGroup(c, tx, "directory_group.create", d)
		if err != nil {
			return err
		}
		res, err = s.groupReply(c, tx, made, http.StatusCreated)
		res.location = c.base + "/Groups/" + made.ID
		return err
	})
	return res, err
}

func (s *server) replaceGroup(c *call) (res reply, err error) {
	err = s.changeGroup(c, func(d *groupDraft) error {
		d.ExternalID = ""
		clear(d.wanted)
		return d.fill(c.body)
	}, func(tx *store.Tx, g account.DirectoryGroup) (err error) {
		res, err = s.groupReply(c, tx, g, http.StatusOK)
		return err
	})
	return res, err
}

// patchGroup responds without a body: a group may have many members, while a change affects only a few.
func (s *server) patchGroup(c *call) (res reply, err error) {
	operations, err := readPatch(c.body)
	if err != nil {
		return res, err
	}
	err = s.changeGroup(c, func(d *groupDraft) error {
		for _, o := range operations {
			if err := d.apply(o); err != nil {
				return err
			}
		}
		return nil
	}, func(_ *store.Tx, g account.DirectoryGroup) error {
		res = reply{status: http.StatusNoContent, version: groupVersion(g)}
		return nil
	})
	return res, err
}

// changeGroup atomically changes the group in the path.
func (s *server) changeGroup(c *call, change func(*groupDraft) error,
	done func(*store.Tx, account.DirectoryGroup) error) error {
	return s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		was, err := s.holdGroup(c, tx)
		if err != nil {
			return err
		}
		members, err := tx.ListGroupMembers(c.ctx(), c.org(), was.ID)
		if err != nil {
			return err
		}
		d := groupDraft{DirectoryGroup: was, had: map[string]bool{}, wanted: map[string]bool{}}
		for _, m := range members {
			d.had[m.UserID], d.wanted[m.UserID] = true, true
		}
		if err := change(&d); err != nil {
			return err
		}
		now := was
		if d.DirectoryGroup != was || len(d.added()) > 0 || len(d.removed()) > 0 {
			if now, err = s.storeGroup(c, tx, "directory_group.update", d); err != nil {
				return err
			}
		}
		return done(tx, now)
	})
}

// holdGroup returns the group in the path, locked until the transaction ends.
func (s *server) holdGroup(c *call, tx *store.Tx) (account.DirectoryGroup, error) {
	if err := s.hold(c, tx); err != nil {
		return account.DirectoryGroup{}, err
	}
	g, err := tx.FindDirectoryGroup(c.ctx(), c.org(), c.groupID())
	if err != nil {
		return g, err
	}
	return g, c.expect(groupVersion(g))
}

// storeGroup stores a group's draft, and updates the roles that members have through their groups.
func (s *server) storeGroup(c *call, tx *store.Tx, action string, d groupDraft) (g account.DirectoryGroup, err error) {
	err = s.changeGroups(c, tx, func() error {
		if g, err = tx.SaveDirectoryGroup(c.ctx(), d.DirectoryGroup); err != nil {
			return err
		}
		for _, userID := range d.added() {
			if err := s.addToGroup(c, tx, g.ID, userID); err != nil {
				return err
			}
		}
		for _, userID := range d.removed() {
			if err := tx.RemoveGroupMember(c.ctx(), c.org(), g.ID, userID); err != nil {
				return err
			}
		}
		return s.record(c, tx, action, g.ID, map[string]string{"name": g.DisplayName,
			"added": strconv.Itoa(len(d.added())), "removed": strconv.Itoa(len(d.removed()))})
	})
	return g, err
}

// addToGroup adds a user of this organization to a group. Users of other organizations are treated as unknown.
func (s *server) addToGroup(c *call, tx *store.Tx, groupID, userID string) error {
	if !id.Has(id.Member, userID) {
		return unknownMember(userID)
	}
	u, err := tx.FindDirectoryUser(c.ctx(), c.org(), userID)
	if fault.Is(err, fault.NotFound) {
		return unknownMember(userID)
	}
	if err == nil && !u.Stored {
		_, err = tx.SaveDirectoryUser(c.ctx(), u)
	}
	if err != nil {
		return err
	}
	return tx.AddGroupMember(c.ctx(), c.org(), groupID, userID)
}

func unknownMember(userID string) error {
	return bad(invalidValue, "members must be ids of users; %q is not the id of a user.", userID)
}

func (s *server) deleteGroup(c *call) (reply, error) {
	err := s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		g, err := s.holdGroup(c, tx)
		if err != nil {
			return err
		}
		return s.changeGroups(c, tx, func() error {
			if err := tx.RemoveDirectoryGroup(c.ctx(), c.org(), g.ID); err != nil {
				return err
			}
			return s.record(c, tx, "directory_group.delete", g.ID, map[string]string{"name": g.DisplayName})
		})
	})
	return reply{status: http.StatusNoContent}, err
}
