package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const invitationColumns = `i.id, i.organization_id, i.kind, i.email, i.role, i.hash, i.created_by, i.created_at, ` +
	`i.expires_at, i.used_at, i.revoked_at, i.project_id, i.project_role`

func scanInvitation(s scanner) (account.Invitation, error) {
	var i account.Invitation
	var created, expires int64
	var used, revoked *int64
	err := s.Scan(&i.ID, &i.OrganizationID, &i.Kind, &i.Email, &i.Role, &i.Hash, &i.CreatedBy, &created, &expires,
		&used, &revoked, &i.Project.ProjectID, &i.Project.Role)
	i.CreatedAt, i.ExpiresAt, i.UsedAt, i.RevokedAt = fromMicros(created), fromMicros(expires), fromMicrosOrNull(used),
		fromMicrosOrNull(revoked)
	return i, err
}

// CreateInvitation stores a link under a new id. Earlier links of the same kind for the same email address stop
// working, so that only the newest link is valid. Links without an address remain valid, because several servers may
// each print one.
func (t *Tx) CreateInvitation(ctx context.Context, i account.Invitation) (account.Invitation, error) {
	i.ID, i.CreatedAt = t.s.ids.New(id.Invitation), t.now()
	i.ExpiresAt = fromMicros(micros(i.ExpiresAt))
	if i.Email != "" {
		_,
			err := t.q.exec(ctx,
			`UPDATE invitations SET revoked_at = $4 WHERE organization_id = $1 AND kind = $2 AND email = $3 `+
				`AND used_at IS NULL AND revoked_at IS NULL`,
			i.OrganizationID, string(i.Kind), i.Email, micros(i.CreatedAt))
		if err != nil {
			return i, wrap("replace invitation", err)
		}
	}
	_,
		err := t.q.exec(ctx,
		`INSERT INTO invitations (id, organization_id, kind, email, role, hash, created_by, created_at, `+
			`expires_at, project_id, project_role) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		i.ID, i.OrganizationID, string(i.Kind), i.Email, string(i.Role), i.Hash, i.CreatedBy, micros(i.CreatedAt),
		micros(i.ExpiresAt), i.Project.ProjectID, string(i.Project.Role))
	if err == nil {
		err = t.noteGuest(ctx, i.Role) // a program that does not support guests could redeem the link
	}
	return i, wrap("store invitation", err)
}

// FindInvitation returns the link whose secret has this hash, even if the link no longer works.
func (r reads) FindInvitation(ctx context.Context, hash string) (account.Invitation, error) {
	i, err := single(ctx, r.q, scanInvitation, `SELECT `+invitationColumns+` FROM invitations i WHERE i.hash = $1`,
		hash)
	if errors.Is(err, errNone) {
		return i, account.UnknownInvitation()
	}
	return i, wrap("find invitation", err)
}

// ListInvitations returns an organization's valid links, newest first.
func (r reads) ListInvitations(ctx context.Context, organizationID string) ([]account.Invitation, error) {
	list, err := collect(ctx, r.q, scanInvitation, `SELECT `+invitationColumns+` FROM invitations i
		WHERE i.organization_id = $1 AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2 `+
		`ORDER BY i.created_at DESC, i.id DESC`,
		organizationID, micros(r.now()))
	return list, wrap("list invitations", err)
}

// UseInvitation redeems a link. If two requests redeem it at the same time, one of them gets the error for an invalid
// link. The user's other password links, from any organization, are revoked too. Someone with access to an older email
// must not be able to change the new password.
func (t *Tx) UseInvitation(ctx context.Context, invitationID string) error {
	n,
		err := t.q.exec(ctx,
		`UPDATE invitations SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND revoked_at IS NULL `+
			`AND expires_at > $2`, invitationID, micros(t.now()))
	if err == nil && n == 0 {
		return account.UnknownInvitation()
	}
	if err != nil {
		return wrap("use invitation", err)
	}
	_, err = t.q.exec(ctx, `UPDATE invitations SET revoked_at = $2 WHERE kind = $3 AND used_at IS NULL AND revoked_at IS NULL `+
		`AND email = (SELECT u.email FROM invitations u WHERE u.id = $1 AND u.kind = $3)`, invitationID, micros(t.now()),
		string(account.InvitePassword))
	return wrap("revoke other password links", err)
}

// RevokeInvitation revokes an organization's link. It is not an error if the link is already revoked.
func (t *Tx) RevokeInvitation(ctx context.Context, organizationID, invitationID string) (account.Invitation, error) {
	n,
		err := t.q.exec(ctx,
		`UPDATE invitations SET revoked_at = COALESCE(revoked_at, $3) WHERE organization_id = $1 AND id = $2 AND used_at IS NULL`,
		organizationID, invitationID, micros(t.now()))
	if err != nil {
		return account.Invitation{}, wrap("revoke invitation", err)
	}
	if n == 0 {
		return account.Invitation{}, account.UnknownInvitation()
	}
	i, err := single(ctx, t.q, scanInvitation, `SELECT `+invitationColumns+` FROM invitations i WHERE i.id = $1`,
		invitationID)
	return i, wrap("find invitation", err)
}

// WithdrawLinks revokes those of an organization's valid links for which which returns true. It returns the revoked
// links, so that the caller can record events.
func (t *Tx) WithdrawLinks(ctx context.Context, organizationID string,
	which func(account.Invitation) bool) (gone []account.Invitation, err error) {
	open, err := t.ListInvitations(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	for _, i := range open {
		if !which(i) {
			continue
		}
		i, err := t.RevokeInvitation(ctx, organizationID, i.ID)
		if fault.Is(err, fault.NotFound) {
			continue // redeemed at the same time
		}
		if err != nil {
			return nil, err
		}
		gone = append(gone, i)
	}
	return gone, nil
}
