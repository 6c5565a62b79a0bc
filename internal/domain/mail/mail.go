package mail

import (
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Kind says what a mail is about.
type Kind string

// The kinds.
const (
	Invitation   Kind = "invitation"    // a link to become a member
	PasswordLink Kind = "password_link" // a link for a new password, made by an admin
	Reset        Kind = "reset"         // a link for a new password, requested by somebody who knows the address
	Alert        Kind = "alert"         // something is wrong with a site
)

// State of a mail.
type State string

// The states: queued, then one of the others.
const (
	Queued  State = "queued"
	Sent    State = "sent"    // the mail server took it
	Failed  State = "failed"  // it was refused, or could not be sent for days
	Dropped State = "dropped" // nothing was to be sent any more, such as a link that was revoked meanwhile
)

// Mail is a stored mail. Its task has the same id.
type Mail struct {
	ID             string
	OrganizationID string
	Kind           Kind
	To             string // an address
	InvitationID   string // the link it carries; "" = none
	Sealed         string // the secret of that link, see SealToken; "" = none, or the mail has ended
	Content        string // of an alert, in JSON
	State          State
	Error          string // why the last attempt failed, as its organization may know; "" = it did not
	CreatedAt      time.Time
	EndedAt        *time.Time
}

// How long mails matter.
const (
	ResetLife = time.Hour           // of a link that somebody requested; the mail is not sent later either
	GiveUp    = 3 * 24 * time.Hour  // how long the mail server may be unavailable
	KeepFor   = 30 * 24 * time.Hour // how long the record of a mail stays after its end
)

const purpose = "mail-link" // of the key that secrets of links are encrypted with

// SealToken encrypts the secret of a link until the mail has been sent.
func SealToken(master []byte, rand io.Reader, invitationID, token string) string {
	return sealbox.Seal(master, rand, purpose, invitationID, token)
}

// OpenToken decrypts the secret; ok is false when it was encrypted with an unknown master key.
func (m Mail) OpenToken(masters [][]byte) (token string, ok bool) {
	_, ok = sealbox.Open(masters, purpose, m.InvitationID, m.Sealed, &token)
	return token, ok
}

// Status is what became of an invitation's mail.
type Status struct {
	State State
	Error string
}
