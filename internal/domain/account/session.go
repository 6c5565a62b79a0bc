package account

import "time"

// Session is a browser in which a person is signed in.
type Session struct {
	ID             string
	Hash           string // of the token in the browser's cookie; the token itself is not stored
	PersonID       string
	OrganizationID string // the organization that the dashboard shows; "" = the person is in none
	Method         string // password, oidc, saml or invitation
	Address        string // address at sign-in, so that the person can recognize the session
	Agent          string // User-Agent of the browser, for the same purpose
	CreatedAt      time.Time
	SeenAt         time.Time // latest use; resolution of one minute
}

// SessionLimits limits the lifetime of sessions. The current values apply, not those at the start of a session, so
// lowering one ends older sessions (K10).
type SessionLimits struct {
	Idle     time.Duration // without any request
	Absolute time.Duration // since sign-in, even if in use
}

// Live reports whether the session is still valid.
func (s Session) Live(now time.Time, l SessionLimits) bool {
	return now.Before(s.CreatedAt.Add(l.Absolute)) && now.Before(s.SeenAt.Add(l.Idle))
}
