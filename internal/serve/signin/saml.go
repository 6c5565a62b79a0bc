package signin

import (
	"context"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/store"
)

// SAML makes a SAML provider usable as a Provider. It sends state as the relay state, derives the request id from
// nonce, and takes the response as code.
type SAML struct {
	Provider *saml.Provider
	EntityID string       // id of this server; "" = the URL of its metadata
	Store    *store.Store // remembers used assertions
	Now      func() time.Time
}

// maxAssertionLife is how long used assertions are remembered. The cookie that an assertion requires expires sooner.
const maxAssertionLife = 24 * time.Hour

func (s *SAML) endpoint(acs string) saml.Endpoint {
	out := saml.Endpoint{EntityID: s.EntityID, ACS: acs}
	if out.EntityID == "" {
		out.EntityID = strings.TrimSuffix(acs, "/acs") + "/metadata"
	}
	return out
}

// Begin returns the URL to send the browser to. acs is the URL to which the browser posts the response.
func (s *SAML) Begin(ctx context.Context, acs, state, nonce, _ string) (string, error) {
	return s.Provider.Begin(ctx, s.endpoint(acs), "_"+nonce, state)
}

// Finish verifies a response. The email address counts as verified, because SAML has no claim for that.
func (s *SAML) Finish(ctx context.Context, acs, response, nonce, _ string) (oidc.Identity, error) {
	said, err := s.Provider.Finish(ctx, s.endpoint(acs), "_"+nonce, response)
	if err != nil {
		return oidc.Identity{}, err
	}
	// Tolerates clock differences between processes.
	life := min(said.Expires.Sub(s.Now()), maxAssertionLife) + time.Minute
	used, err := s.Store.CountUp(ctx, "sign-in assertion", account.TokenHash(said.Issuer+" "+said.ID), 1, life)
	if err != nil {
		return oidc.Identity{}, err
	}
	if used.N > 1 {
		return oidc.Identity{}, fault.New(fault.Unauthenticated, "saml_used_before", "This sign-in was already used.").
			WithHint("Start again.")
	}
	if said.Transient {
		return oidc.Identity{}, fault.New(fault.Forbidden, "saml_transient",
			"The identity provider identifies you by a different name at each sign-in, so your account cannot be found again.").
			WithHint("The provider's administrator must choose a persistent name identifier (NameID) for this server.")
	}
	// The prefix distinguishes the issuer from an OpenID Connect issuer of the same name, whose subjects are
	// different people.
	return oidc.Identity{Issuer: "saml " + said.Issuer, Subject: said.Subject, Email: said.Email, Verified: true,
		Name: said.Name, Groups: said.Groups}, nil
}

// SAMLMetadata returns this server's metadata for the provider. acs is the URL to which browsers post responses.
func (d *Service) SAMLMetadata(acs string) ([]byte, error) {
	if d.IDP == nil {
		return nil, noProvider()
	}
	s, ok := d.IDP.Provider.(*SAML)
	if !ok {
		return nil, noProvider()
	}
	return s.endpoint(acs).Metadata()
}
