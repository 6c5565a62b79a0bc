package store

import "github.com/lectern-docs/lectern/internal/account"

// Principal is who acts, together with the organization that they act in: a key, or a member who is signed in.
type Principal struct {
	Key          account.Key    // its id is "" when a member acts
	Member       account.Member // its id is "" when a key acts
	Organization account.Organization
}

// ByMember reports whether a member acts, and not a key.
func (p Principal) ByMember() bool { return p.Member.ID != "" }

// Actor is the id of who acts, as audit records and authors have it.
func (p Principal) Actor() string {
	if p.ByMember() {
		return p.Member.ID
	}
	return p.Key.ID
}

// Role is what a member may do; a key that may write stands as high as an admin, and no key as high as an owner.
func (p Principal) Role() account.Role {
	switch {
	case p.ByMember():
		return p.Member.Role
	case p.Key.May(account.ScopeWrite):
		return account.RoleAdmin
	}
	return account.RoleViewer
}
