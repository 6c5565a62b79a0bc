package account

import "time"

// Session is one browser in which a person is signed in.
type Session struct {
	ID             string
	Hash           string // of the token in the browser's cookie; the token is stored nowhere
	PersonID       string
	OrganizationID string // the one being looked at; "" = the person is in none
	Method         string // password, oidc, saml or invitation
	Address        string // from which it was opened, for the person to recognise it
	Agent          string // the browser's name for itself, likewise
	CreatedAt      time.Time
	SeenAt         time.Time // newest use, kept to the minute
}

// SessionLimits are how long sessions last. They count as they are now, not as they were when a session began: lowering
// one ends older sessions (K10).
type SessionLimits struct {
	Idle     time.Duration // without any request
	Absolute time.Duration // from sign-in, however busy
}

// Live reports whether the session still counts.
func (s Session) Live(now time.Time, l SessionLimits) bool {
	return now.Before(s.CreatedAt.Add(l.Absolute)) && now.Before(s.SeenAt.Add(l.Idle))
}
