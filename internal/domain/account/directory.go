package account

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// DirectoryUser is a person as the organization's identity provider describes them, or a member whom it has not described
// yet.
type DirectoryUser struct {
	ID             string // stays the same when the person leaves and comes back; often the member's id
	OrganizationID string
	UserName       string // unique in the organization, whatever its case
	ExternalID     string // what the provider calls the person; "" = unknown
	Email          string // address of the member, in the form of CleanEmail
	DisplayName    string
	GivenName      string
	FamilyName     string
	Deactivated    bool   // the provider has said so: nobody with the address becomes a member
	Joined         bool   // the person is or was a member under this address
	Stored         bool   // the provider has described the person
	MemberID       string // "" = is not a member
	Role           Role   // of that member
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Active reports whether the person is a member now.
func (u DirectoryUser) Active() bool { return u.MemberID != "" }

// UserNameKey brings a user name to the form in which it is compared.
func UserNameKey(s string) string { return strings.ToLower(s) }

// RefuseDeactivated is the fault for somebody whom the organization's directory has deactivated; nil if off is false.
func RefuseDeactivated(off bool) error {
	if !off {
		return nil
	}
	return fault.New(fault.Forbidden, "member_deactivated",
		"The organization's identity provider has deactivated this person.").
		WithHint("Whoever manages the identity provider can activate them again there.")
}

// DirectoryGroup is a group of people as the identity provider describes it.
type DirectoryGroup struct {
	ID             string
	OrganizationID string
	DisplayName    string // unique in the organization, whatever its case
	ExternalID     string // "" = unknown
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Names returns what GroupRoles may call the group: providers put either into the tokens with which people sign in.
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
