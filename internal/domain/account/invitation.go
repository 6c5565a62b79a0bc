package account

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// InvitationKind is the purpose of a link.
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
	Email          string // the invitee; "" = whoever opens the link enters the address, as for the first owner
	// role that the link grants. For a password link, the role that the person had when the link was created; "" =
	// created by the operator
	Role      Role
	Project   ProjectRole // additional role in one project; zero = none
	Hash      string      // of the secret in the link
	CreatedBy string      // actor, or ByThemself
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
	RevokedAt *time.Time
}

// ByThemself is the value of CreatedBy for a password link that a person requested by mail. Opening the link proves
// that the address is theirs.
const ByThemself = "self"

// Open reports whether the link is still valid.
func (i Invitation) Open(now time.Time) bool {
	return i.UsedAt == nil && i.RevokedAt == nil && now.Before(i.ExpiresAt)
}

// MadeBeyond reports whether the actor created the link, but could not create it with the role now, which is the
// actor's current role ("" = none).
func (i Invitation) MadeBeyond(actor string, now Role) bool {
	return i.CreatedBy == actor && MayGive(now, i.Role, i.Role) != nil
}

// Lifetimes of links.
const (
	InviteDays   = 7 // by default
	MaxInvite    = 30
	OwnerLink    = 24 * time.Hour // for the first owner
	PasswordLink = 24 * time.Hour
)

// InviteLife converts a number of days to a lifetime; nil means the default.
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

// UnknownInvitation is the fault for links that never existed, were used or revoked, or have expired. It is the same in
// all these cases, so that it does not reveal which one applies.
func UnknownInvitation() error {
	return fault.New(fault.NotFound, "unknown_invitation",
		"This link is not valid: it was used or revoked, has expired, or was not copied completely.").
		WithHint("Ask the sender for a new one. The server's operator can create one with: lectern org invite.")
}

// The paths of links below the server's address; the secret is appended as the parameter token.
const (
	JoinPath        = "/dashboard/join"
	NewPasswordPath = "/dashboard/new-password"
)

// Link returns the URL of an invitation; base is the server's address without a trailing slash.
func (i Invitation) Link(base, token string) string {
	path := JoinPath
	if i.Kind == InvitePassword {
		path = NewPasswordPath
	}
	return base + path + "?token=" + token
}
