package config

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Bounds of a session's limits.
const (
	minSession = 5 * time.Minute
	maxSession = 14 * 24 * time.Hour
)

// SessionLimits returns how long people stay signed in.
func (s *Server) SessionLimits() account.SessionLimits {
	return account.SessionLimits{Idle: s.SessionIdle, Absolute: s.SessionMax}
}

// OIDCRole reads an entry of oidc.roles.
func OIDCRole(entry string) (group string, role account.Role, err error) {
	i := strings.LastIndexByte(entry, '=') // groups of directories have signs of equality themselves
	if i <= 0 {
		return "", "", find("oidc.roles").bad("%q must be GROUP=ROLE.", entry)
	}
	if role, err = account.ParseRole(entry[i+1:]); err != nil {
		return "", "", find("oidc.roles").bad("%q must have one of the roles owner, admin, editor and viewer.", entry)
	}
	return entry[:i], role, nil
}

func (s *Server) checkDashboard() error {
	for key, d := range map[string]time.Duration{"session.idle": s.SessionIdle, "session.max": s.SessionMax} {
		if d < minSession || d > maxSession {
			return find(key).bad("must be between 5m and 336h.")
		}
	}
	for _, entry := range s.OIDCRoles {
		if _, _, err := OIDCRole(entry); err != nil {
			return err
		}
	}
	if err := checkURL("oidc.issuer", s.OIDCIssuer); err != nil || s.OIDCIssuer == "" {
		return err
	}
	if s.OIDCClientID == "" {
		return find("oidc.client-id").bad("must be set if oidc.issuer is set.")
	}
	return nil
}
