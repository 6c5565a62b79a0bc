package scim

import (
	"context"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// groupReader finds users' groups, in the store or a transaction.
type groupReader interface {
	ListGroupsOf(ctx context.Context, organizationID string, userIDs ...string) ([]account.GroupMember, error)
}

func (s *server) createUser(c *call) (res reply, err error) {
	d := draft{active: true, DirectoryUser: account.DirectoryUser{OrganizationID: c.org()}}
	if err := d.fill(c.body); err != nil {
		return res, err
	}
	err = s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := s.hold(c, tx); err != nil {
			return err
		}
		made, err := s.storeUser(c, tx, account.DirectoryUser{}, d)
		if err != nil {
			return err
		}
		res, err = s.userReply(c, tx, made, http.StatusCreated)
		res.location = c.base + "/Users/" + made.ID
		return err
	})
	return res, err
}

func (s *server) replaceUser(c *call) (reply, error) {
	return s.changeUser(c, func(d *draft) error {
		d.reset()
		return d.fill(c.body)
	})
}

func (s *server) patchUser(c *call) (reply, error) {
	operations, err := readPatch(c.body)
	if err != nil {
		return reply{}, err
	}
	return s.changeUser(c, func(d *draft) error {
		for _, o := range operations {
			if err := d.apply(o); err != nil {
				return err
			}
		}
		return nil
	})
}

// changeUser atomically changes the user in the path.
func (s *server) changeUser(c *call, change func(*draft) error) (res reply, err error) {
	err = s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		was, err := s.holdUser(c, tx)
		if err != nil {
			return err
		}
		d := draft{DirectoryUser: was, active: was.Active()}
		if err := change(&d); err != nil {
			return err
		}
		now := was
		if d.DirectoryUser != was || d.active != was.Active() {
			if now, err = s.storeUser(c, tx, was, d); err != nil {
				return err
			}
		}
		res, err = s.userReply(c, tx, now, http.StatusOK)
		return err
	})
	return res, err
}

// holdUser returns the user in the path, locked until the transaction ends.
func (s *server) holdUser(c *call, tx *store.Tx) (account.DirectoryUser, error) {
	if err := s.hold(c, tx); err != nil {
		return account.DirectoryUser{}, err
	}
	u, err := tx.FindDirectoryUser(c.ctx(), c.org(), c.userID())
	if err != nil {
		return u, err
	}
	groups, err := tx.ListGroupsOf(c.ctx(), c.org(), u.ID)
	if err != nil {
		return u, err
	}
	return u, c.expect(c.showUser(u, groups).Meta.Version)
}

// storeUser stores a user's draft; was is the previous state, zero for a new user.
func (s *server) storeUser(c *call, tx *store.Tx, was account.DirectoryUser, d draft) (account.DirectoryUser, error) {
	u, moved := d.DirectoryUser, was.ID != "" && d.Email != was.Email
	if err := s.checkUnique(c, tx, u); err != nil {
		return u, err
	}
	if moved {
		if err := checkMove(c, tx, was); err != nil {
			return u, err
		}
		u.Joined = false
	}
	role := was.Role
	if was.Active() && (moved || !d.active) {
		if err := s.endMembership(c, tx, was); err != nil {
			return u, err
		}
		u.MemberID, u.Role = "", ""
	}
	known := u.Joined
	u.Deactivated, u.Joined = !d.active, u.Joined || d.active
	u, err := tx.SaveDirectoryUser(c.ctx(), u)
	if err != nil {
		return u, err
	}
	action := "directory_user.update"
	if was.ID == "" {
		action = "directory_user.create"
	}
	if err := s.recordUser(c, tx, action, u, d.active); err != nil {
		return u, err
	}
	if d.active && !u.Active() {
		if !moved {
			role = ""
		}
		return s.beginMembership(c, tx, u, role, known)
	}
	return u, nil
}

func (s *server) recordUser(c *call, tx *store.Tx, action string, u account.DirectoryUser, active bool) error {
	return s.record(c, tx, action, u.ID, map[string]string{"userName": u.UserName, "email": u.Email,
		"active": strconv.FormatBool(active)})
}

// checkUnique rejects a user name or address that belongs to another user of the organization.
func (s *server) checkUnique(c *call, tx *store.Tx, u account.DirectoryUser) error {
	for _, same := range []store.DirectoryCondition{{Field: store.ByName, Value: account.UserNameKey(u.UserName)},
		{Field: store.ByEmail, Value: u.Email}} {
		list, _, err := tx.ListDirectoryUsers(c.ctx(), c.org(),
			store.DirectoryQuery{Where: []store.DirectoryCondition{same}, Limit: 2})
		if err != nil {
			return err
		}
		for _, other := range list {
			if other.ID != u.ID {
				return fault.New(fault.Conflict, "user_exists", "A user with that userName or address already exists.")
			}
		}
	}
	return nil
}

// checkMove rejects a new address for a person who has an account. The account belongs to the person and may be a
// member of other organizations, so this organization must not change its address.
func checkMove(c *call, tx *store.Tx, was account.DirectoryUser) error {
	if !was.Joined {
		return nil
	}
	_, err := tx.FindPersonByEmail(c.ctx(), was.Email)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return bad(mutability, "The address of a user who has signed in here cannot be changed. "+
		"Delete the user, then create one with the new address.")
}

func (s *server) deleteUser(c *call) (reply, error) {
	err := s.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		u, err := s.holdUser(c, tx)
		if err != nil {
			return err
		}
		if u.Active() {
			if err := s.endMembership(c, tx, u); err != nil {
				return err
			}
		}
		if err := tx.RemoveDirectoryUser(c.ctx(), c.org(), u.ID); err != nil {
			return err
		}
		return s.recordUser(c, tx, "directory_user.delete", u, false)
	})
	return reply{status: http.StatusNoContent}, err
}
