package daemon

import (
	"context"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/scim"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// scim returns the handler with which identity providers manage members. provider is the identity provider for signing
// in, or nil if there is none.
func (s *server) scim(proxies auth.Proxies, uses *auth.Uses, provider *signin.IDP) http.Handler {
	masters := append([][]byte{s.Secrets.Current}, s.Secrets.Previous...)
	return scim.New(scim.Options{
		Store: s.Store, Log: s.Logger, Now: s.Now, IDs: id.Source{Rand: s.Rand}, Roles: rolesOf(provider),
		Guard: auth.New(auth.Options{Keys: s.Store, Masters: masters, Now: s.Now, Proxies: proxies, Uses: uses}),
		Rate:  auth.NewRate(s.Config.RateLimit, s.counter(), s.Now),
		BaseURL: func(r *http.Request) string {
			if s.Config.PublicURL != "" {
				return strings.TrimRight(s.Config.PublicURL, "/")
			}
			return proxies.BaseURL(r)
		},
	})
}

// rolesOf returns the roles that groups grant in the organization that the identity provider's users join. In other
// organizations, groups grant no roles.
func rolesOf(provider *signin.IDP) func(context.Context, string) (account.GroupRoles, error) {
	return func(ctx context.Context, organizationID string) (account.GroupRoles, error) {
		if provider == nil {
			return account.GroupRoles{}, nil
		}
		of, err := provider.OrganizationID(ctx)
		if err != nil || of != organizationID {
			return account.GroupRoles{}, err
		}
		return provider.Roles, nil
	}
}
