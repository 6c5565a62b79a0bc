package daemon

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
)

// dashboard returns the handler for the dashboard, which uses the given API. Streams end with ctx.
func (s *server) dashboard(ctx context.Context, api http.Handler, proxies auth.Proxies,
	readers *siteaccess.Service, provider *signin.IDP) http.Handler {
	service := signin.New(signin.Options{
		Store: s.Store, Now: s.Now, Rand: s.Rand, Log: s.Logger,
		Masters: append([][]byte{s.Secrets.Current}, s.Secrets.Previous...),
		Limits:  s.Config.SessionLimits(), Proxies: proxies, AllowHTTP: s.Config.DashboardHTTP == "allow",
		IDP: provider, Mail: s.Config.HasMail(),
	})
	return dashboard.New(dashboard.Options{
		Version: s.Version, DocsURL: s.docsURL(), PublicURL: s.Config.PublicURL, Proxies: proxies, API: api,
		SignIn: service, Readers: readers, Log: s.Logger, Now: s.Now, GitHubApps: s.githubApps(),
		Mail: s.Config.HasMail(), Models: s.Config.AgentModels, SiteURL: s.siteURL, Stopping: ctx.Done(),
	})
}

// githubApps returns the flow for creating GitHub Apps.
func (s *server) githubApps() *githubapp.Flow {
	return &githubapp.Flow{Hosts: s.codeHosts(), Rand: s.Rand, Now: s.Now,
		Masters: append([][]byte{s.Secrets.Current}, s.Secrets.Previous...),
		Once: func(ctx context.Context, key string, within time.Duration) (bool, error) {
			used, err := s.Store.CountUp(ctx, "github app state", key, 1, within)
			return used.N == 1, err
		}}
}

// provider returns the identity provider configured by the operator, or nil if there is none. It is first contacted
// when someone signs in, so that the server can start without it.
func (s *server) provider() (*signin.IDP, error) {
	c := s.Config
	if c.SAML() {
		return s.samlProvider()
	}
	if c.OIDCIssuer == "" {
		return nil, nil
	}
	opt := oidc.Options{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret,
		Scopes: c.OIDCScopes, GroupsClaim: c.OIDCGroupsClaim, Now: s.Now}
	if err := opt.Check(); err != nil {
		return nil, fault.New(fault.Invalid, "bad_setting", "oidc.issuer: "+err.Error()).WithField("oidc.issuer")
	}
	out := &signin.IDP{Provider: oidc.New(opt), Name: c.OIDCName, OrganizationID: s.providerOrganization(c.OIDCOrganization)}
	return out, grant(out, "oidc.roles", c.OIDCRoles, c.OIDCDefaultRole)
}

// samlProvider returns the SAML provider configured by the operator. Metadata in a file is validated now, metadata at
// a URL when someone signs in.
func (s *server) samlProvider() (*signin.IDP, error) {
	c := s.Config
	opt := saml.Options{MetadataURL: c.SAMLMetadataURL, EmailAttribute: c.SAMLEmailAttribute,
		NameAttribute: c.SAMLNameAttribute, GroupsAttribute: c.SAMLGroupsAttribute, Now: s.Now}
	key := "saml.metadata-url"
	if c.SAMLMetadataFile != "" {
		key = "saml.metadata-file"
		text, err := os.ReadFile(c.SAMLMetadataFile)
		if err != nil {
			return nil, fault.New(fault.Invalid, "bad_setting", key+": the file cannot be read.").WithField(key).WithCause(err)
		}
		opt.Metadata = string(text)
	}
	if err := opt.Check(); err != nil {
		return nil, fault.New(fault.Invalid, "bad_setting", key+": "+err.Error()).WithField(key)
	}
	out := &signin.IDP{Name: c.SAMLName, OrganizationID: s.providerOrganization(c.SAMLOrganization),
		Provider: &signin.SAML{Provider: saml.New(opt), EntityID: c.SAMLEntityID, Store: s.Store, Now: s.Now}}
	return out, grant(out, "saml.roles", c.SAMLRoles, c.SAMLDefaultRole)
}

// grant sets the roles granted by the provider's groups.
func grant(to *signin.IDP, key string, entries []string, defaultRole string) error {
	if defaultRole != "none" {
		to.Roles.Default = account.Role(defaultRole)
	}
	for _, entry := range entries {
		group, role, err := config.GroupRole(key, entry)
		if err != nil {
			return err
		}
		to.Roles.Grants = append(to.Roles.Grants, account.Grant{Group: group, Role: role})
	}
	return nil
}

// providerOrganization returns a function that returns the id of the organization that the identity provider's users
// join. If id is "", they join the server's first organization.
func (s *server) providerOrganization(id string) func(ctx context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if id != "" {
			org, err := s.Store.FindOrganization(ctx, id)
			return org.ID, err
		}
		org, err := s.EnsureOrganization(ctx)
		return org.ID, err
	}
}
