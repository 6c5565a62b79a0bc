package account

// Grant gives a role to a group of an identity provider.
type Grant struct {
	Group string
	Role  Role
}

// GroupRoles says which roles an identity provider's people get. They count when the provider's people sign in, and when
// it provisions them.
type GroupRoles struct {
	Grants  []Grant
	Default Role // of people who are in none of the groups and no members yet; "" = none
}

// Strongest returns the strongest role that one of the groups has; "" = none has any. Names are compared exactly.
func (g GroupRoles) Strongest(groups []string) Role {
	var best Role
	for _, grant := range g.Grants {
		for _, group := range groups {
			if group == grant.Group && (best == "" || grant.Role.AtLeast(best)) {
				best = grant.Role
			}
		}
	}
	return best
}
