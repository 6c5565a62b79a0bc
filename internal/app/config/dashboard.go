package config

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Bounds of the session settings.
const (
	minSession = 5 * time.Minute
	maxSession = 14 * 24 * time.Hour
)

// SessionLimits returns how long people stay signed in.
func (s *Server) SessionLimits() account.SessionLimits {
	return account.SessionLimits{Idle: s.SessionIdle, Absolute: s.SessionMax}
}

// GroupRole parses an entry of the setting key, oidc.roles or saml.roles.
func GroupRole(key, entry string) (group string, role account.Role, err error) {
	i := strings.LastIndexByte(entry, '=') // names of directory groups may contain equal signs
	if i <= 0 {
		return "", "", find(key).bad("%q must be GROUP=ROLE.", entry)
	}
	if role, err = account.ParseRole(entry[i+1:]); err != nil {
		return "", "", find(key).bad("%q must have one of the roles owner, admin, editor, viewer and guest.", entry)
	}
	return entry[:i], role, nil
}

func (s *Server) checkDashboard() error {
	for key, d := range map[string]time.Duration{"session.idle": s.SessionIdle, "session.max": s.SessionMax} {
		if d < minSession || d > maxSession {
			return find(key).bad("must be between 5m and 336h.")
		}
	}
	for key, entries := range map[string][]string{"oidc.roles": s.OIDCRoles, "saml.roles": s.SAMLRoles} {
		for _, entry := range entries {
			if _, _, err := GroupRole(key, entry); err != nil {
				return err
			}
		}
	}
	if err := s.checkSAML(); err != nil {
		return err
	}
	if err := checkURL("oidc.issuer", s.OIDCIssuer); err != nil || s.OIDCIssuer == "" {
		return err
	}
	if s.OIDCClientID == "" {
		return find("oidc.client-id").bad("must be set if oidc.issuer is set.")
	}
	return nil
}

// SAML reports whether people can sign in with a SAML provider.
func (s *Server) SAML() bool { return s.SAMLMetadataURL != "" || s.SAMLMetadataFile != "" }

// checkSAML rejects a second identity provider, because accounts would switch between the two with each sign-in.
func (s *Server) checkSAML() error {
	if s.SAML() && s.OIDCIssuer != "" {
		return find("saml.metadata-url").bad("oidc.issuer is set too; a server has one identity provider for signing in.")
	}
	if s.SAMLMetadataURL != "" && s.SAMLMetadataFile != "" {
		return find("saml.metadata-file").bad("saml.metadata-url is set too; use only one.")
	}
	return checkURL("saml.metadata-url", s.SAMLMetadataURL)
}
