package account_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

func TestStrongerRoleAppliesInProject(t *testing.T) {
	for _, c := range []struct {
		role           account.Role
		projects       account.ProjectRoles
		in, strongest  account.Role
		seesA, seesAny bool // project prj_a, and another project without a role
	}{
		{account.RoleGuest, "", account.RoleGuest, account.RoleGuest, false, false},
		{account.RoleGuest, "prj_a:viewer", account.RoleViewer, account.RoleViewer, true, false},
		{account.RoleGuest, "prj_b:admin prj_a:editor", account.RoleEditor, account.RoleAdmin, true, false},
		{account.RoleGuest, "prj_ab:admin", account.RoleGuest, account.RoleAdmin, false, false}, // another project with a similar id
		{account.RoleViewer, "prj_a:editor", account.RoleEditor, account.RoleEditor, true, true},
		{account.RoleAdmin, "prj_a:viewer", account.RoleAdmin, account.RoleAdmin, true, true},
		{"emperor", "prj_a:viewer", "emperor", "emperor", false, false}, // a role of a later release grants nothing
		{account.RoleGuest, "prj_a:emperor", account.RoleGuest, account.RoleGuest, false, false},
	} {
		m := account.Member{Role: c.role, Projects: c.projects}
		if m.RoleIn("prj_a") != c.in || m.Strongest() != c.strongest || m.Sees("prj_a") != c.seesA ||
			m.Sees("prj_c") != c.seesAny || m.RoleIn("") != c.role {
			t.Errorf("%s with %q: %s, %s", c.role, c.projects, m.RoleIn("prj_a"), m.Strongest())
		}
	}
	for _, name := range []string{"owner", "guest", "", "king"} {
		if _, err := account.ParseProjectRole(name); err == nil {
			t.Errorf("%q is taken as a role in a project", name)
		}
	}
}
