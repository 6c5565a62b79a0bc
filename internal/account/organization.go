package account

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/fault"
)

// Plan is what an organization has bought; features depend on it.
type Plan string

// The plans, least first.
const (
	PlanFree       Plan = "free"
	PlanPro        Plan = "pro"
	PlanEnterprise Plan = "enterprise"
)

// ParsePlan reads a plan's name.
func ParsePlan(s string) (Plan, error) {
	switch p := Plan(strings.ToLower(s)); p {
	case PlanFree, PlanPro, PlanEnterprise:
		return p, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_plan", "There is no plan %q.", s).
		WithField("plan").WithHint("Plans are free, pro and enterprise.")
}

// Organization owns projects and keys; nothing of one organization is visible to another.
type Organization struct {
	ID        string
	Name      string
	Plan      Plan
	CreatedAt time.Time
}

// CleanName checks an organization's name.
func CleanName(s string) (string, error) {
	n := strings.TrimSpace(s)
	if n == "" || utf8.RuneCountInString(n) > 100 || strings.ContainsFunc(n, unicode.IsControl) {
		return "", fault.New(fault.Invalid, "invalid_field", "name must have 1 to 100 printable characters.").WithField("name")
	}
	return n, nil
}

// Role is what a member may do in the dashboard.
type Role string

// The roles, strongest first.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

// ParseRole reads a role's name.
func ParseRole(s string) (Role, error) {
	switch r := Role(strings.ToLower(s)); r {
	case RoleOwner, RoleAdmin, RoleEditor, RoleViewer:
		return r, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_role", "There is no role %q.", s).
		WithField("role").WithHint("Roles are owner, admin, editor and viewer.")
}

// Member is a person in an organization.
type Member struct {
	ID             string
	OrganizationID string
	Email          string
	Role           Role
	CreatedAt      time.Time
}
