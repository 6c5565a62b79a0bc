package daemon

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// The roles of an identity provider's groups apply only in the organization that its users join.
func TestGroupRolesApplyInProvidersOrganization(t *testing.T) {
	provider := &signin.IDP{OrganizationID: func(context.Context) (string, error) { return "org_a", nil },
		Roles: account.GroupRoles{Default: account.RoleEditor, Grants: []account.Grant{{Group: "staff", Role: account.RoleAdmin}}}}
	for _, c := range []struct {
		provider     *signin.IDP
		organization string
		role         account.Role
		byDefault    account.Role
	}{{provider, "org_a", account.RoleAdmin, account.RoleEditor}, {provider, "org_b", "", ""}, {nil, "org_a", "", ""}} {
		got, err := rolesOf(c.provider)(t.Context(), c.organization)
		if err != nil || got.Strongest([]string{"staff"}) != c.role || got.Default != c.byDefault {
			t.Errorf("%s: %+v (error %v)", c.organization, got, err)
		}
	}
}
