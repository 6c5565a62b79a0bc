package store

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Principal is who acts, together with the organization that they act in: a key, or a member who is signed in.
type Principal struct {
	Key          account.Key    // its id is "" when a member acts
	Member       account.Member // its id is "" when a key acts
	Organization account.Organization
}

// ByMember reports whether a member acts, and not a key.
func (p Principal) ByMember() bool { return p.Member.ID != "" }

// Actor returns the id of who acts, as audit records and authors have it.
func (p Principal) Actor() string {
	if p.ByMember() {
		return p.Member.ID
	}
	return p.Key.ID
}

// Role returns what a member may do. A key stands as high as an admin with the scope admin, as an editor with write,
// and never as high as an owner.
func (p Principal) Role() account.Role {
	switch {
	case p.ByMember():
		return p.Member.Role
	case p.Key.May(account.ScopeAdmin):
		return account.RoleAdmin
	case p.Key.May(account.ScopeWrite):
		return account.RoleEditor
	}
	return account.RoleViewer
}

// RoleIn returns what the principal may do in a project. Keys are for all projects of their organization.
func (p Principal) RoleIn(projectID string) account.Role {
	if p.ByMember() {
		return p.Member.RoleIn(projectID)
	}
	return p.Role()
}

// Projects returns the only projects that the principal may know of; nil = all of the organization.
func (p Principal) Projects() []string {
	if !p.ByMember() || p.Member.Role.AtLeast(account.RoleViewer) {
		return nil
	}
	ids := []string{}
	for _, g := range p.Member.Projects.List() {
		if g.Role.AtLeast(account.RoleViewer) {
			ids = append(ids, g.ProjectID)
		}
	}
	return ids
}

// Limit returns what keys that the principal makes may not exceed.
func (p Principal) Limit() *account.Limit {
	if p.ByMember() {
		return p.Member.Role.Limit()
	}
	return p.Key.Limit()
}

// MayGive checks that the principal may change a member from one role to another; "" means not a member. A key gives no
// role that may do what the key itself may not; one that expires or is bound to addresses gives none that can make keys
// without these limits. The scope scim does not count: an admin can do all that it allows in other ways.
func (p Principal) MayGive(from, to account.Role) error {
	if err := account.MayGive(p.Role(), from, to); err != nil || p.ByMember() {
		return err
	}
	if err := p.keyMayGive(to); err != nil {
		return err
	}
	limited := p.Key.ExpiresAt != nil || len(p.Key.Addresses) > 0
	if limited && slices.Contains(to.Scopes(), account.ScopeAdmin) {
		return fault.Newf(fault.Forbidden, "key_limit",
			"A key with an expiry or an address list cannot grant the role %s, "+
				"because that role can create keys without these limits.", to).
			WithField("role").WithHint("Use a key without an expiry or address list, or ask an admin or owner.")
	}
	return nil
}

// MayGiveIn checks that the principal may give a role in a project or take it away, "". Who has such a role can make no
// keys, so limits of a key do not matter.
func (p Principal) MayGiveIn(projectID string, to account.Role) error {
	if has := p.RoleIn(projectID); !has.AtLeast(account.RoleAdmin) {
		return account.NeedsRole(account.RoleAdmin, has)
	}
	if p.ByMember() {
		return nil
	}
	return p.keyMayGive(to)
}

func (p Principal) keyMayGive(to account.Role) error {
	for _, s := range to.Scopes() {
		if s != account.ScopeSCIM && !p.Key.May(s) {
			return fault.Newf(fault.Forbidden, "scope_required", "Only a key with the scope %s can grant the role %s.",
				s, to).WithField("role")
		}
	}
	return nil
}
