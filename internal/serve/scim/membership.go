package scim

import (
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// endMembership ends a user's membership together with its sessions and links, just like a removal by an admin. It does
// not remove owners, because only owners may do that.
func (s *server) endMembership(c *call, tx *store.Tx, u account.DirectoryUser) error {
	if u.Role == account.RoleOwner {
		return refuseOwner(c, tx)
	}
	m, err := tx.FindMember(c.ctx(), c.org(), u.MemberID)
	if err != nil {
		return err
	}
	if err := tx.RemoveMember(c.ctx(), m); err != nil {
		return err
	}
	if err := s.withdraw(c, tx,
		func(i account.Invitation) bool { return i.Email == m.Email || i.MadeBeyond(m.ID, "") }); err != nil {
		return err
	}
	return s.record(c, tx, "member.remove", m.ID, map[string]string{"email": m.Email, "role": string(m.Role)})
}

// refuseOwner explains why an owner cannot be removed.
func refuseOwner(c *call, tx *store.Tx) error {
	n, err := tx.CountOwners(c.ctx(), c.org())
	if err != nil {
		return err
	}
	if n == 1 {
		return fault.New(fault.Forbidden, "last_owner",
			"This is the organization's last owner, who cannot be deactivated or removed.").
			WithHint("An owner must make somebody else an owner first, then change this member's role in the dashboard.")
	}
	return fault.New(fault.Forbidden, "role_required", "SCIM cannot deactivate or remove an owner.").
		WithHint("An owner must change this member's role in the dashboard first.")
}

// beginMembership makes a stored user a member, with the given role or, if it is "", with the role from their groups.
// known means that the person was already a member with this address.
func (s *server) beginMembership(c *call, tx *store.Tx, u account.DirectoryUser, role account.Role,
	known bool) (account.DirectoryUser, error) {
	data := map[string]string{"email": u.Email}
	if !known {
		removed, err := distrust(c, tx, u.Email)
		if err != nil {
			return u, err
		}
		if removed {
			data["password"] = "removed"
		}
	}
	if role == "" {
		roles, err := s.Roles(c.ctx(), c.org())
		if err != nil {
			return u, err
		}
		byUser, err := rolesByUser(c, tx, roles)
		if err != nil {
			return u, err
		}
		role = roleOr(byUser[u.ID], roles)
	}
	m, err := tx.AddMember(c.ctx(), c.org(), u.Email, role)
	if err != nil {
		return u, err
	}
	u.MemberID, u.Role = m.ID, role
	data["role"] = string(role)
	return u, s.record(c, tx, "member.join", m.ID, data)
}

// distrust removes the password of an account that becomes a member only because the provider created the user. Nobody
// has proven that the person owns the address: the password was chosen by someone with an invitation link. The account
// of another organization's member is not changed: that person must accept an invitation, which proves ownership.
func distrust(c *call, tx *store.Tx, email string) (removed bool, err error) {
	p, err := tx.FindPersonByEmail(c.ctx(), email)
	if fault.Is(err, fault.NotFound) || err == nil && p.PasswordHash == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	others, err := tx.ListMemberships(c.ctx(), email)
	if err != nil {
		return false, err
	}
	if len(others) > 0 {
		return false, fault.New(fault.Forbidden, "invitation_required", "This address must be invited first.").
			WithHint("Invite it in the dashboard. Once the person has accepted, the user is found by its userName.")
	}
	if p, err = tx.HoldPerson(c.ctx(), p.ID); err != nil {
		return false, err
	}
	p.PasswordHash, p.TOTPSealed, p.TOTPStep, p.Recovery = "", "", 0, nil
	if err := tx.UpdatePerson(c.ctx(), p); err != nil {
		return false, err
	}
	return true, tx.EndSessions(c.ctx(), p.ID)
}

// roleOr returns the role for a user whose groups grant role ("" = none). By creating a user, the provider invites
// them to use this server, so without any role they become viewers.
func roleOr(role account.Role, roles account.GroupRoles) account.Role {
	for _, r := range []account.Role{role, roles.Default} {
		if r != "" {
			return r
		}
	}
	return account.RoleViewer
}

// rolesByUser returns the strongest role granted by each user's groups, at most admin: SCIM creates no owners. Users
// whose groups grant no role are omitted.
func rolesByUser(c *call, tx *store.Tx, roles account.GroupRoles) (map[string]account.Role, error) {
	if len(roles.Grants) == 0 {
		return nil, nil
	}
	groups, _, err := tx.ListDirectoryGroups(c.ctx(), c.org(), store.DirectoryQuery{Limit: 1<<31 - 1})
	if err != nil {
		return nil, err
	}
	byGroup, ids := map[string]account.Role{}, []string{}
	for _, g := range groups {
		role := roles.Strongest(g.Names())
		if role == account.RoleOwner {
			role = account.RoleAdmin
		}
		if role != "" {
			byGroup[g.ID] = role
			ids = append(ids, g.ID)
		}
	}
	members, err := tx.ListGroupMembers(c.ctx(), c.org(), ids...)
	out := map[string]account.Role{}
	for _, m := range members {
		if r := byGroup[m.GroupID]; !out[m.UserID].AtLeast(r) {
			out[m.UserID] = r
		}
	}
	return out, err
}

// changeGroups runs a change to groups and then updates the roles of everyone whose groups now grant a different
// role. A user who is no longer in any group with a role gets the default role.
func (s *server) changeGroups(c *call, tx *store.Tx, change func() error) error {
	roles, err := s.Roles(c.ctx(), c.org())
	if err != nil {
		return err
	}
	before, err := rolesByUser(c, tx, roles)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := rolesByUser(c, tx, roles)
	if err != nil {
		return err
	}
	for userID := range before {
		if _, stays := after[userID]; !stays {
			if err := s.setRole(c, tx, userID, roleOr("", roles)); err != nil {
				return err
			}
		}
	}
	for userID, role := range after {
		if before[userID] != role {
			if err := s.setRole(c, tx, userID, role); err != nil {
				return err
			}
		}
	}
	return nil
}

// setRole changes the role of a user's membership. Owners remain owners.
func (s *server) setRole(c *call, tx *store.Tx, userID string, role account.Role) error {
	u, err := tx.FindDirectoryUser(c.ctx(), c.org(), userID)
	if fault.Is(err, fault.NotFound) {
		return nil // removed by the change
	}
	if err != nil || !u.Active() || u.Role == account.RoleOwner || u.Role == role {
		return err
	}
	m, err := tx.FindMember(c.ctx(), c.org(), u.MemberID)
	if err != nil {
		return err
	}
	if err := tx.SetRole(c.ctx(), m, role); err != nil {
		return err
	}
	if err := s.withdraw(c, tx, func(i account.Invitation) bool { return i.MadeBeyond(m.ID, role) }); err != nil {
		return err
	}
	return s.record(c, tx, "member.role", m.ID,
		map[string]string{"email": m.Email, "before": string(m.Role), "after": string(role)})
}
