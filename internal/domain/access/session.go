package access

import (
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Reader is who reads a site, for the duration of a request.
type Reader struct {
	Anonymous bool     // has proven nothing: sees a public site, or what is public on a protected one
	Subject   string   // what identifies the person for the way they signed in; "" with a password that all share
	Groups    []string // sorted; they decide which pages the reader sees
	Named     bool     // signed in by a way that can tell pages about the reader, such as a name
}

// Session is one browser in which a reader is signed in to a site.
type Session struct {
	Hash      string // of the token in the browser's cookie; the token is stored nowhere
	ProjectID string
	Host      string // name of the host that the browser signed in at; it counts nowhere else
	Version   int64  // of the project's Settings at sign-in
	Method    Mode
	Subject   string
	Groups    []string
	// MemberSession is the id of the dashboard's session that vouched for a member; "" for other methods. The reader's
	// session ends with it.
	MemberSession string
	Member        *account.Session // when that one was opened and used; nil for other methods, and not stored
	CreatedAt     time.Time
	SeenAt        time.Time // newest use, kept to the minute
}

// SessionCap is how many sessions are kept. A sign-in that exceeds a number ends the sessions that were not used for the
// longest time, so that neither a reader nor an application that hands readers over can fill the database.
type SessionCap struct {
	Reader int64 // of one subject on one site, in all browsers; readers with a password have no subject
	Site   int64
}

// DefaultSessionCap returns the numbers that servers use.
func DefaultSessionCap() SessionCap { return SessionCap{Reader: 50, Site: 100_000} }

// Live reports whether the session still counts at that moment. A member's counts no longer than the dashboard's.
func (s Session) Live(now time.Time, l account.SessionLimits) bool {
	return account.Session{CreatedAt: s.CreatedAt, SeenAt: s.SeenAt}.Live(now, l) &&
		(s.Member == nil || s.Member.Live(now, l))
}

// Reader returns the session's reader.
func (s Session) Reader() Reader {
	return Reader{Subject: s.Subject, Groups: s.Groups,
		Named: s.Method == OIDC || s.Method == SAML || s.Method == JWT}
}
