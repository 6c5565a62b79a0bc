package client

import (
	"context"
	"net/http"
)

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
func (c *Client) CreateInvitation(ctx context.Context, in CreateInvitation) (*InvitationLink, error) {
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
