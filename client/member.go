package client

import (
	"context"
	"net/http"
	"time"
)

// Member is a person's place in the organization.
type Member struct {
	MemberID   string     `json:"memberId"`
	Email      string     `json:"email"`
	Name       *string    `json:"name"` // nil while the person told none
	Role       string     `json:"role"` // owner, admin, editor or viewer
	HasAccount bool       `json:"hasAccount"`
	TwoFactor  bool       `json:"twoFactor"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastSeenAt *time.Time `json:"lastSeenAt"` // nil = is signed in nowhere
}

// MemberList is all of them, oldest first.
type MemberList struct {
	Members []Member `json:"members"`
}

// Invite asks for a link by which somebody becomes a member.
type Invite struct {
	Email         string `json:"email"`
	Role          string `json:"role"`
	ExpiresInDays *int   `json:"expiresInDays,omitempty"` // 1 to 30; nil = 7
}

// Invitation is a link that works once.
type Invitation struct {
	InvitationID string    `json:"invitationId"`
	Kind         string    `json:"kind"`  // join or password
	Email        *string   `json:"email"` // nil = for whoever has the link: the first owner
	Role         *string   `json:"role"`  // nil for a new password
	CreatedAt    time.Time `json:"createdAt"`
	CreatedBy    *string   `json:"createdBy"`
	ExpiresAt    time.Time `json:"expiresAt"`
}

// InvitationLink is a new one; its address is not shown again.
type InvitationLink struct {
	Invitation
	URL string `json:"url"`
}

// InvitationList is those that still work, newest first.
type InvitationList struct {
	Invitations []Invitation `json:"invitations"`
}

// ListMembers lists the organization's members.
func (c *Client) ListMembers(ctx context.Context) (*MemberList, error) {
	return get[MemberList](ctx, c, nil, "v1", "members")
}

// SetMemberRole changes what a member may do.
func (c *Client) SetMemberRole(ctx context.Context, memberID, role string) (*Member, error) {
	body := struct {
		Role string `json:"role"`
	}{role}
	return submit[Member](ctx, c, http.MethodPatch, body, nil, "v1", "members", memberID)
}

// RemoveMember ends a membership.
func (c *Client) RemoveMember(ctx context.Context, memberID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "members", memberID}}, nil)
}

// CreatePasswordLink makes a link by which a member chooses a new password.
func (c *Client) CreatePasswordLink(ctx context.Context, memberID string) (*InvitationLink, error) {
	return submit[InvitationLink](ctx, c, http.MethodPost, nil, nil, "v1", "members", memberID, "password-link")
}

// CreateInvitation makes a link by which somebody becomes a member.
func (c *Client) CreateInvitation(ctx context.Context, in Invite) (*InvitationLink, error) {
	return submit[InvitationLink](ctx, c, http.MethodPost, in, nil, "v1", "invitations")
}

// ListInvitations lists the links that still work.
func (c *Client) ListInvitations(ctx context.Context) (*InvitationList, error) {
	return get[InvitationList](ctx, c, nil, "v1", "invitations")
}

// RevokeInvitation withdraws a link.
func (c *Client) RevokeInvitation(ctx context.Context, invitationID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "invitations", invitationID}}, nil)
}
