package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

const colleagueSelect = `SELECT ` +
	memberColumns + `, COALESCE(p.id, ''), COALESCE(p.name, ''), COALESCE(p.totp_sealed, '') <> '',
		(SELECT MAX(s.seen_at) FROM sessions s WHERE s.person_id = p.id)
	FROM members m LEFT JOIN people p ON p.email = m.email `

// FindColleague returns a member together with details of the account.
func (r reads) FindColleague(ctx context.Context, organizationID, memberID string) (account.Colleague, error) {
	c, err := single(ctx, r.q, scanColleague, colleagueSelect+`WHERE m.organization_id = $1 AND m.id = $2`,
		organizationID, memberID)
	if errors.Is(err, errNone) {
		return c, errUnknownMember
	}
	return c, wrap("find member", err)
}

// ListInvitationTimes returns the creation times of an organization's newest invitation links, newest first, including
// links that have been used.
func (r reads) ListInvitationTimes(ctx context.Context, organizationID string, limit int) ([]time.Time, error) {
	list, err := collect(ctx, r.q, value[int64],
		`SELECT created_at FROM invitations WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
		organizationID, limit)
	out := make([]time.Time, len(list))
	for i, at := range list {
		out[i] = fromMicros(at)
	}
	return out, wrap("list times of invitations", err)
}
