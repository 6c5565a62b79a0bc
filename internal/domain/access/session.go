package access

import (
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Reader is the reader of a site during a request.
type Reader struct {
	Anonymous bool     // not authenticated: sees a public site, or the public part of a protected one
	Subject   string   // identifies the user within the sign-in method; "" with a shared password
	Groups    []string // sorted; they determine which pages the reader sees
	Named     bool     // the sign-in method provides details that pages can show, such as a name
}

// Session is a browser in which a reader is signed in to a site.
type Session struct {
	Hash      string // of the token in the browser's cookie; the token itself is not stored
	ProjectID string
	Host      string // host where the browser signed in; the session is valid only there
	Version   int64  // of the project's Settings at sign-in
	Method    Mode
	Subject   string
	Groups    []string
	// MemberSession is the id of the dashboard session of a member; "" for other methods. The reader's session ends
	// with it.
	MemberSession string
	Member        *account.Session // holds the times of that session; nil for other methods; not stored
	CreatedAt     time.Time
	SeenAt        time.Time // latest use; resolution of one minute
}

// SessionCap limits the number of stored sessions. A sign-in that exceeds a limit ends the least recently used
// sessions, so that neither a reader nor an application can fill the database.
type SessionCap struct {
	Reader int64 // per subject and site, in all browsers; readers with a password have no subject
	Site   int64
}

// DefaultSessionCap returns the limits used by servers.
func DefaultSessionCap() SessionCap { return SessionCap{Reader: 50, Site: 100_000} }

// Live reports whether the session is valid at a time. A member's session is valid only as long as the member's
// dashboard session.
func (s Session) Live(now time.Time, l account.SessionLimits) bool {
	return account.Session{CreatedAt: s.CreatedAt, SeenAt: s.SeenAt}.Live(now, l) &&
		(s.Member == nil || s.Member.Live(now, l))
}

// Reader returns the session's reader.
func (s Session) Reader() Reader {
	return Reader{Subject: s.Subject, Groups: s.Groups,
		Named: s.Method == OIDC || s.Method == SAML || s.Method == JWT}
}
