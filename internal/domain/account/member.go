package account

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Role determines what a member may do.
type Role string

// The roles, strongest first. Viewers read; editors also publish, export and run agents; admins also change projects,
// keys and members; owners also make owners. Guests see the projects in which they have a role, and nothing else.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
	RoleGuest  Role = "guest"
)

// Roles lists all roles, strongest first.
func Roles() []Role { return []Role{RoleOwner, RoleAdmin, RoleEditor, RoleViewer, RoleGuest} }

// AtLeast reports whether the role includes the rights of least. An invalid role has no rights.
func (r Role) AtLeast(least Role) bool {
	mine, asked := slices.Index(Roles(), r), slices.Index(Roles(), least)
	return mine >= 0 && asked >= 0 && mine <= asked
}

// Scopes returns the key scopes that grant no more than the role does.
func (r Role) Scopes() []Scope {
	switch {
	case r.AtLeast(RoleAdmin):
		return Scopes()
	case r.AtLeast(RoleEditor):
		return []Scope{ScopeRead, ScopeWrite, ScopeDiscovery}
	case r.AtLeast(RoleViewer):
		return []Scope{ScopeRead, ScopeDiscovery}
	}
	return nil
}

// ParseRole parses a role's name.
func ParseRole(s string) (Role, error) {
	if r := Role(strings.ToLower(s)); slices.Contains(Roles(), r) {
		return r, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_role", "Unknown role %q.", s).
		WithField("role").WithHint("Valid roles are owner, admin, editor, viewer and guest.")
}

// Member is a person's membership in an organization. The person is identified by the email address. Somebody who has
// never signed in has no account yet.
type Member struct {
	ID             string
	OrganizationID string
	Email          string
	Role           Role         // in the organization
	Projects       ProjectRoles // roles in single projects
	CreatedAt      time.Time
}

// RoleIn returns the member's role in a project: the stronger of the organization role and the project role; "" =
// none. It does not check whether the project exists.
func (m Member) RoleIn(projectID string) Role {
	if own := m.Projects.In(projectID); own.AtLeast(m.Role) {
		return own
	}
	return m.Role
}

// Strongest returns the member's strongest role anywhere.
func (m Member) Strongest() Role {
	best := m.Role
	for _, g := range m.Projects.List() {
		if g.Role.AtLeast(best) {
			best = g.Role
		}
	}
	return best
}

// Sees reports whether the member may see a project.
func (m Member) Sees(projectID string) bool { return m.RoleIn(projectID).AtLeast(RoleViewer) }

// Colleague is a member with the account details that other members may see.
type Colleague struct {
	Member
	PersonID  string     // "" = no account yet
	Name      string     // "" = not given
	TwoFactor bool       // whether the account has a second factor
	SeenAt    *time.Time // latest use of a session; nil = no session exists
}

// Membership is a member together with the organization.
type Membership struct {
	Member       Member
	Organization Organization
}

const maxEmail = 254 // bytes, the limit of mail systems

// CleanEmail validates an e-mail address and normalizes it for comparison.
func CleanEmail(s string) (string, error) {
	e := strings.ToLower(strings.TrimSpace(s))
	a, err := mail.ParseAddress(e)
	if err != nil || a.Address != e || len(e) > maxEmail || strings.ContainsAny(e, " \"") {
		return "", fault.New(fault.Invalid, "invalid_field",
			"email must be an e-mail address, such as editor@example.com.").WithField("email")
	}
	return e, nil
}

// MayGive checks that somebody with the role actor may change a member from one role to another; "" means not a
// member. Only owners may add or remove owners; all other changes require an admin.
func MayGive(actor, from, to Role) error {
	need := RoleAdmin
	if from == RoleOwner || to == RoleOwner {
		need = RoleOwner
	}
	if actor.AtLeast(need) {
		return nil
	}
	if need == RoleOwner {
		return fault.New(fault.Forbidden, "role_required", "Only an owner can add, change or remove an owner.").
			WithHint("Ask an owner of the organization; API keys cannot do this.")
	}
	return NeedsRole(need, actor)
}

// NeedsRole returns the fault for a member whose role is insufficient.
func NeedsRole(need, has Role) error {
	return fault.Newf(fault.Forbidden, "role_required", "This requires the role %s; your role is %s.", need, has).
		WithHint("An admin or owner of the organization can change your role.")
}
