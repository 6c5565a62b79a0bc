package account

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// InvitationKind says what a link is for.
type InvitationKind string

// The kinds.
const (
	InviteJoin     InvitationKind = "join"     // become a member
	InvitePassword InvitationKind = "password" // choose a new password
)

// Invitation is a link that works once.
type Invitation struct {
	ID             string
	OrganizationID string
	Kind           InvitationKind
	Email          string // the invitee; "" = the person who opens the link enters it: the first owner's link
	// that comes with it; for a new password, the one that the person had when the link was made, "" = the operator
	// made it
	Role      Role
	Project   ProjectRole // in one project, beside it; zero = none
	Hash      string      // of the secret in the link
	CreatedBy string      // actor, or ByThemself
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
	RevokedAt *time.Time
}

// ByThemself is in CreatedBy of a link for a new password that a person asked for and got by mail: who opens it has
// proved that the address is theirs.
const ByThemself = "self"

// Open reports whether the link still works.
func (i Invitation) Open(now time.Time) bool {
	return i.UsedAt == nil && i.RevokedAt == nil && now.Before(i.ExpiresAt)
}

// MadeBeyond reports whether the link was made by an actor who, with the role now ("" = none any more), could not make
// it today.
func (i Invitation) MadeBeyond(actor string, now Role) bool {
	return i.CreatedBy == actor && MayGive(now, i.Role, i.Role) != nil
}

// Lives of links.
const (
	InviteDays   = 7 // by default
	MaxInvite    = 30
	OwnerLink    = 24 * time.Hour // the first owner's
	PasswordLink = 24 * time.Hour
)

// InviteLife turns a number of days into a life; nil is the default.
func InviteLife(days *int) (time.Duration, error) {
	n := InviteDays
	if days != nil {
		n = *days
	}
	if n < 1 || n > MaxInvite {
		return 0, fault.Newf(fault.Invalid, "invalid_field", "expiresInDays must be between 1 and %d.", MaxInvite).
			WithField("expiresInDays")
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// UnknownInvitation is the one answer for links that never were, were used, revoked or are too old, as far as their
// holder may know.
func UnknownInvitation() error {
	return fault.New(fault.NotFound, "unknown_invitation",
		"This link is not valid: it was used or revoked, has expired, or was not copied completely.").
		WithHint("Ask the sender for a new one. The server's operator can create one with: lectern org invite.")
}

// Where links lead, below the server's address; the secret follows as the parameter token.
const (
	JoinPath        = "/dashboard/join"
	NewPasswordPath = "/dashboard/new-password"
)

// Link returns the URL of an invitation: base is the server's, without a slash at the end.
func (i Invitation) Link(base, token string) string {
	path := JoinPath
	if i.Kind == InvitePassword {
		path = NewPasswordPath
	}
	return base + path + "?token=" + token
}
