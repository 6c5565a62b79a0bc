package mail

import (
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Kind is the kind of an email.
type Kind string

// The kinds.
const (
	Invitation   Kind = "invitation"    // a link to become a member
	PasswordLink Kind = "password_link" // a link for a new password, created by an admin
	Reset        Kind = "reset"         // a link for a new password, requested by somebody who knows the address
	Alert        Kind = "alert"         // about a problem with a site
)

// State is the state of an email.
type State string

// The states: queued, then one of the others.
const (
	Queued  State = "queued"
	Sent    State = "sent"    // the mail server accepted it
	Failed  State = "failed"  // the mail server refused it, or it could not be sent for days
	Dropped State = "dropped" // it was no longer needed, for example because its link was revoked
)

// Mail is a stored mail. Its task has the same id.
type Mail struct {
	ID             string
	OrganizationID string
	Kind           Kind
	To             string // an address
	InvitationID   string // the link it contains; "" = none
	Sealed         string // secret of that link, see SealToken; "" = none, or the email has ended
	Content        string // content of an alert, in JSON
	State          State
	Error          string // error of the last attempt, as its organization may see it; "" = none
	CreatedAt      time.Time
	EndedAt        *time.Time
}

// Time limits of emails.
const (
	ResetLife = time.Hour           // validity of a requested link; the email is not sent after this time either
	GiveUp    = 3 * 24 * time.Hour  // how long to retry while the mail server is unavailable
	KeepFor   = 30 * 24 * time.Hour // how long the record of an email is kept after its end
)

const purpose = "mail-link" // purpose of the key that encrypts the secrets of links

// SealToken encrypts the secret of a link until the email has been sent.
func SealToken(master []byte, rand io.Reader, invitationID, token string) string {
	return sealbox.Seal(master, rand, purpose, invitationID, token)
}

// OpenToken decrypts the secret; ok is false if the master key is unknown.
func (m Mail) OpenToken(masters [][]byte) (token string, ok bool) {
	_, ok = sealbox.Open(masters, purpose, m.InvitationID, m.Sealed, &token)
	return token, ok
}

// Status is the state of an invitation's mail.
type Status struct {
	State State
	Error string
}
