package account

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ProjectRoles are a member's roles in single projects: entries PROJECT:ROLE, separated by spaces. The store reads them
// in this form together with the member.
type ProjectRoles string

// ProjectRole is a role in one project.
type ProjectRole struct {
	ProjectID string
	Role      Role
}

// ProjectMember is a member with a role in a project. The embedded Role is the role in the organization.
type ProjectMember struct {
	Colleague
	InProject Role
}

// List returns the roles by project.
func (p ProjectRoles) List() (out []ProjectRole) {
	for entry := range strings.FieldsSeq(string(p)) {
		projectID, role, _ := strings.Cut(entry, ":")
		out = append(out, ProjectRole{projectID, Role(role)})
	}
	slices.SortFunc(out, func(a, b ProjectRole) int { return strings.Compare(a.ProjectID, b.ProjectID) })
	return out
}

// In returns the role in a project; "" = none.
func (p ProjectRoles) In(projectID string) Role {
	if projectID == "" {
		return ""
	}
	for entry := range strings.FieldsSeq(string(p)) {
		if role, ok := strings.CutPrefix(entry, projectID+":"); ok {
			return Role(role)
		}
	}
	return ""
}

// RolesInProject lists the roles that can be granted in a project, strongest first.
func RolesInProject() []Role { return []Role{RoleAdmin, RoleEditor, RoleViewer} }

// ParseProjectRole parses the name of a role in a project.
func ParseProjectRole(s string) (Role, error) {
	if r := Role(strings.ToLower(s)); slices.Contains(RolesInProject(), r) {
		return r, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_role", "Unknown project role: %q.", s).
		WithField("role").WithHint("Valid project roles are admin, editor and viewer.")
}
