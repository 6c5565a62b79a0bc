package daemon

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
)

// dashboard builds the pages for people, who do what they do through the given API. Streams end with ctx.
func (s *server) dashboard(ctx context.Context, api http.Handler, proxies auth.Proxies,
	readers *siteaccess.Service) (http.Handler, error) {
	provider, err := s.provider()
	if err != nil {
		return nil, err
	}
	service := signin.New(signin.Options{
		Store: s.Store, Now: s.Now, Rand: s.Rand, Log: s.Logger,
		Masters: append([][]byte{s.Secrets.Current}, s.Secrets.Previous...),
		Limits:  s.Config.SessionLimits(), Proxies: proxies, AllowHTTP: s.Config.DashboardHTTP == "allow",
		IDP: provider,
	})
	return dashboard.New(dashboard.Options{
		Version: s.Version, DocsURL: s.docsURL(), PublicURL: s.Config.PublicURL, Proxies: proxies, API: api,
		SignIn: service, Readers: readers, Log: s.Logger, Now: s.Now,
		Models: s.Config.AgentModels, SiteURL: s.siteURL, Stopping: ctx.Done(),
	}), nil
}

// provider returns the identity provider that the operator has set up; nil = none. It is first contacted when somebody
// signs in, so that the server starts without it.
func (s *server) provider() (*signin.IDP, error) {
	c := s.Config
	if c.OIDCIssuer == "" {
		return nil, nil
	}
	opt := oidc.Options{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret,
		Scopes: c.OIDCScopes, GroupsClaim: c.OIDCGroupsClaim, Now: s.Now}
	if err := opt.Check(); err != nil {
		return nil, fault.New(fault.Invalid, "bad_setting", "oidc.issuer: "+err.Error()).WithField("oidc.issuer")
	}
	out := &signin.IDP{Provider: oidc.New(opt), Name: c.OIDCName, OrganizationID: s.providerOrganization}
	if c.OIDCDefaultRole != "none" {
		out.DefaultRole = account.Role(c.OIDCDefaultRole)
	}
	for _, entry := range c.OIDCRoles {
		group, role, err := config.OIDCRole(entry)
		if err != nil {
			return nil, err
		}
		out.Roles = append(out.Roles, signin.Grant{Group: group, Role: role})
	}
	return out, nil
}

// providerOrganization returns where the provider's people become members.
func (s *server) providerOrganization(ctx context.Context) (string, error) {
	if s.Config.OIDCOrganization != "" {
		org, err := s.Store.FindOrganization(ctx, s.Config.OIDCOrganization)
		return org.ID, err
	}
	org, err := s.EnsureOrganization(ctx)
	return org.ID, err
}
