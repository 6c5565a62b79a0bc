package siteaccess

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// identify returns a request's reader: by its admin API key if it has one, else by the session cookie.
func (s *Service) identify(r *http.Request, site siteapi.Protected) (access.Reader, error) {
	if s.hasKey(r) {
		return s.identifyKey(r, site)
	}
	found, err := s.findSession(r, site)
	if err != nil {
		return access.Reader{}, err
	}
	return found.Reader(), nil
}

// hasKey reports whether a request contains something that looks like one of our keys. Other tokens, such as those that
// the playground's proxy forwards, are for other servers.
func (s *Service) hasKey(r *http.Request) bool {
	if s.Keys == nil {
		return false
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && account.WellFormed(strings.TrimSpace(secret))
}

// identifyKey admits programs with a key from the project's organization. It removes the key from the request,
// because later handlers may forward headers.
func (s *Service) identifyKey(r *http.Request, site siteapi.Protected) (access.Reader, error) {
	p, err := s.Keys.Identify(r)
	if err != nil {
		return access.Reader{}, err
	}
	if p.Organization.ID != site.OrganizationID {
		return access.Reader{}, auth.InvalidKey() // the same error as for an unknown key
	}
	if err := s.Keys.Permit(p, r, auth.Need{Scope: account.ScopeDiscovery, Role: account.RoleViewer}); err != nil {
		return access.Reader{}, err
	}
	r.Header.Del("Authorization")
	return access.Reader{Subject: p.Actor()}, nil
}

// findSession returns the session for the request's cookie, if it is valid for this site.
func (s *Service) findSession(r *http.Request, site siteapi.Protected) (access.Session, error) {
	token := cookieValue(r, s.cookieName(r, site, sessionCookie))
	if !account.IsToken(token) {
		return access.Session{}, noSession()
	}
	ctx := r.Context()
	found, err := s.Store.FindReaderSession(ctx, account.TokenHash(token), site.ProjectID, site.Host)
	if fault.Is(err, fault.NotFound) {
		return found, noSession()
	}
	if err != nil {
		return found, err
	}
	now := s.Now()
	if !found.Live(now, s.Limits) {
		return found, noSession()
	}
	if now.Sub(found.SeenAt) >= seenInterval {
		if err := s.Store.TouchReaderSession(ctx, found.Hash, now); err != nil {
			s.Log.WarnContext(ctx, "failed to update the reader session's last use", "error", err)
		}
	}
	return found, nil
}

func noSession() error {
	return fault.New(fault.Unauthenticated, "sign_in_required", "This site is for signed-in readers only.").
		WithHint("Open the site in a browser and sign in. Programs send an API key of the organization with the " +
			"scope discovery: Authorization: Bearer <key>.")
}
