package account

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// DirectoryUser is a person as described by the organization's identity provider, or a member whom it has not
// described yet.
type DirectoryUser struct {
	ID             string // stays the same when the person leaves and comes back; often equal to the member's id
	OrganizationID string
	UserName       string // unique in the organization, ignoring case
	ExternalID     string // the provider's id for the person; "" = unknown
	Email          string // the member's address, normalized by CleanEmail
	DisplayName    string
	GivenName      string
	FamilyName     string
	Deactivated    bool   // the provider has deactivated the person: nobody with this address can become a member
	Joined         bool   // the person is or was a member with this address
	Stored         bool   // the provider has described the person
	MemberID       string // "" = not a member
	Role           Role   // the member's role
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Active reports whether the person is currently a member.
func (u DirectoryUser) Active() bool { return u.MemberID != "" }

// UserNameKey normalizes a user name for comparison.
func UserNameKey(s string) string { return strings.ToLower(s) }

// RefuseDeactivated returns the fault for a person whom the organization's directory has deactivated; nil if off is
// false.
func RefuseDeactivated(off bool) error {
	if !off {
		return nil
	}
	return fault.New(fault.Forbidden, "member_deactivated",
		"The organization's identity provider has deactivated this person.").
		WithHint("An administrator of the identity provider can reactivate them there.")
}

// DirectoryGroup is a group of people as described by the identity provider.
type DirectoryGroup struct {
	ID             string
	OrganizationID string
	DisplayName    string // unique in the organization, ignoring case
	ExternalID     string // "" = unknown
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Names returns the names by which GroupRoles may refer to the group. In sign-in tokens, some providers use one of them
// and some the other.
func (g DirectoryGroup) Names() []string {
	if g.ExternalID == "" {
		return []string{g.DisplayName}
	}
	return []string{g.DisplayName, g.ExternalID}
}

// GroupMember is a user in a group.
type GroupMember struct {
	GroupID   string
	GroupName string
	UserID    string
	UserName  string
}
