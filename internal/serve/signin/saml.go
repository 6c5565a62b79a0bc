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

// SAML is a SAML provider that people may sign in with. Its relay state is the state, its request id comes from the nonce,
// and its response is the code.
type SAML struct {
	Provider *saml.Provider
	EntityID string       // of this server; "" = the address of its metadata
	Store    *store.Store // remembers used assertions
	Now      func() time.Time
}

// maxAssertionLife is for how long used assertions are remembered at most. The cookie that one needs lives shorter.
const maxAssertionLife = 24 * time.Hour

func (s *SAML) endpoint(acs string) saml.Endpoint {
	out := saml.Endpoint{EntityID: s.EntityID, ACS: acs}
	if out.EntityID == "" {
		out.EntityID = strings.TrimSuffix(acs, "/acs") + "/metadata"
	}
	return out
}

// Begin returns where to send the browser. acs is the address that it brings the response to.
func (s *SAML) Begin(ctx context.Context, acs, state, nonce, _ string) (string, error) {
	return s.Provider.Begin(ctx, s.endpoint(acs), "_"+nonce, state)
}

// Finish verifies a response. The provider vouches for the address: SAML has no other statement about it.
func (s *SAML) Finish(ctx context.Context, acs, response, nonce, _ string) (oidc.Identity, error) {
	said, err := s.Provider.Finish(ctx, s.endpoint(acs), "_"+nonce, response)
	if err != nil {
		return oidc.Identity{}, err
	}
	life := min(said.Expires.Sub(s.Now()), maxAssertionLife) + time.Minute // clocks of processes differ
	used, err := s.Store.CountUp(ctx, "sign-in assertion", account.TokenHash(said.Issuer+" "+said.ID), 1, life)
	if err != nil {
		return oidc.Identity{}, err
	}
	if used.N > 1 {
		return oidc.Identity{}, fault.New(fault.Unauthenticated, "saml_used_before", "This sign-in was used before.").
			WithHint("Start again.")
	}
	if said.Transient {
		return oidc.Identity{}, fault.New(fault.Forbidden, "saml_transient",
			"The identity provider calls you by another name at each sign-in, so that your account cannot be found again.").
			WithHint("The provider's administrator must choose a persistent name identifier (NameID) for this server.")
	}
	// An issuer of OpenID Connect may have the same name, and means other people by the same subjects.
	return oidc.Identity{Issuer: "saml " + said.Issuer, Subject: said.Subject, Email: said.Email, Verified: true,
		Name: said.Name, Groups: said.Groups}, nil
}

// SAMLMetadata describes this server to the provider. acs is the address that browsers bring responses to.
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
