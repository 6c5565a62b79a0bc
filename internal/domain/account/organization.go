package account

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Plan is the plan of an organization; it determines the available features.
type Plan string

// The plans, smallest first.
const (
	PlanFree       Plan = "free"
	PlanPro        Plan = "pro"
	PlanEnterprise Plan = "enterprise"
)

// ParsePlan parses a plan's name.
func ParsePlan(s string) (Plan, error) {
	switch p := Plan(strings.ToLower(s)); p {
	case PlanFree, PlanPro, PlanEnterprise:
		return p, nil
	}
	return "", fault.Newf(fault.Invalid, "unknown_plan", "Unknown plan %q.", s).
		WithField("plan").WithHint("Valid plans are free, pro and enterprise.")
}

// Organization owns projects and keys; organizations cannot see each other's data.
type Organization struct {
	ID        string
	Name      string
	Plan      Plan
	CreatedAt time.Time
}

// CleanName validates an organization's name.
func CleanName(s string) (string, error) {
	n := strings.TrimSpace(s)
	if n == "" || utf8.RuneCountInString(n) > 100 || strings.ContainsFunc(n, unicode.IsControl) {
		return "", fault.New(fault.Invalid, "invalid_field", "name must have 1 to 100 printable characters.").
			WithField("name")
	}
	return n, nil
}
