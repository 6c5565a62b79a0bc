package store

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Principal is an authenticated caller, together with its organization. The caller is an API key or a member who is
// signed in.
type Principal struct {
	Key          account.Key    // id is "" if the caller is a member
	Member       account.Member // id is "" if the caller is a key
	Organization account.Organization
}

// ByMember reports whether the caller is a member rather than a key.
func (p Principal) ByMember() bool { return p.Member.ID != "" }

// Actor returns the caller's id for audit records and author fields.
func (p Principal) Actor() string {
	if p.ByMember() {
		return p.Member.ID
	}
	return p.Key.ID
}

// Role returns the caller's role in the organization. A key with the scope admin counts as an admin, and a key with the
// scope write as an editor. A key never counts as an owner.
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

// RoleIn returns the caller's role in a project. Keys apply to all projects of their organization.
func (p Principal) RoleIn(projectID string) account.Role {
	if p.ByMember() {
		return p.Member.RoleIn(projectID)
	}
	return p.Role()
}

// Projects returns the projects that the caller may see; nil means all projects of the organization.
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

// Limit returns the limits for keys that the caller creates.
func (p Principal) Limit() *account.Limit {
	if p.ByMember() {
		return p.Member.Role.Limit()
	}
	return p.Key.Limit()
}

// MayGive checks that the caller may change a member from one role to another; "" means not a member. A key may not
// grant a role with more rights than its own. A key that expires or is restricted to IP addresses may not grant a role
// that can create keys without these limits. The scope scim is ignored, because an admin can do everything that it
// allows in other ways.
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

// MayGiveIn checks that the caller may grant a role in a project or, if to is "", remove the role. Project roles cannot
// create keys, so the limits of a key do not matter.
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
