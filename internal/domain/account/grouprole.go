package account

// Grant gives a role to a group of an identity provider.
type Grant struct {
	Group string
	Role  Role
}

// GroupRoles maps groups of an identity provider to roles. It applies when users sign in with the provider, and when
// the provider provisions them.
type GroupRoles struct {
	Grants  []Grant
	Default Role // for people who are in none of the groups and are not members yet; "" = no role
}

// Strongest returns the strongest role of any of the groups; "" = none. Names are compared exactly.
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
