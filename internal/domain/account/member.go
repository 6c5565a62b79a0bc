package account

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Role is what a member may do.
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

// Roles lists them, strongest first.
func Roles() []Role { return []Role{RoleOwner, RoleAdmin, RoleEditor, RoleViewer, RoleGuest} }

// AtLeast reports whether the role may do what least may. What is no role may nothing.
func (r Role) AtLeast(least Role) bool {
	mine, asked := slices.Index(Roles(), r), slices.Index(Roles(), least)
	return mine >= 0 && asked >= 0 && mine <= asked
}

// Scopes returns the scopes of keys that allow no more than the role does.
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

// ParseRole reads a role's name.
func ParseRole(s string) (Role, error) {
	if r := Role(strings.ToLower(s)); slices.Contains(Roles(), r) {
		return r, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_role", "Unknown role %q.", s).
		WithField("role").WithHint("Valid roles are owner, admin, editor, viewer and guest.")
}

// Member is a person's place in an organization. The person is known by the address; one who was never there to sign in
// has no account yet.
type Member struct {
	ID             string
	OrganizationID string
	Email          string
	Role           Role         // in the organization
	Projects       ProjectRoles // roles in single projects
	CreatedAt      time.Time
}

// RoleIn returns what the member may do in a project: the stronger of the role in the organization and the one in the
// project. It does not know whether the project exists; "" is none.
func (m Member) RoleIn(projectID string) Role {
	if own := m.Projects.In(projectID); own.AtLeast(m.Role) {
		return own
	}
	return m.Role
}

// Strongest returns the strongest role that the member has anywhere.
func (m Member) Strongest() Role {
	best := m.Role
	for _, g := range m.Projects.List() {
		if g.Role.AtLeast(best) {
			best = g.Role
		}
	}
	return best
}

// Sees reports whether the member may know of a project.
func (m Member) Sees(projectID string) bool { return m.RoleIn(projectID).AtLeast(RoleViewer) }

// Colleague is a member together with what others may know of the person's account.
type Colleague struct {
	Member
	PersonID  string     // "" = has no account yet
	Name      string     // "" = not given
	TwoFactor bool       // whether a second factor is on
	SeenAt    *time.Time // newest use of a session; nil = none is left
}

// Membership is a member together with the organization.
type Membership struct {
	Member       Member
	Organization Organization
}

const maxEmail = 254 // bytes, as mail systems have it

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

// MayGive checks that somebody with the role actor may change a member from one role to another; "" means not a member.
// Owners are made and unmade by owners alone; everybody else's place is for admins to decide.
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

// NeedsRole is the fault for a member whose role does not reach.
func NeedsRole(need, has Role) error {
	return fault.Newf(fault.Forbidden, "role_required", "This requires the role %s; your role is %s.", need, has).
		WithHint("An admin or owner of the organization can change your role.")
}
