package signin

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// roleIn returns the role of an address in an organization; "" = none.
func roleIn(ctx context.Context, tx *store.Tx, organizationID, email string) (account.Role, error) {
	m, err := tx.FindMemberByEmail(ctx, organizationID, email)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	return m.Role, err
}

// recordLink records that an existing account now belongs to the provider's identity. Nobody has proven that the
// person owns the address: the account's password was chosen by the holder of a link, perhaps an admin who invited
// someone else's address. If the provider raises the person's role, that password must not gain the new permissions,
// so it is removed together with the second factor and all sessions.
func (d *Service) recordLink(ctx context.Context, tx *store.Tx, p account.Person, organizationID string, before account.Role,
	b Browser) (account.Person, error) {
	m, err := tx.FindMemberByEmail(ctx, organizationID, p.Email)
	if err != nil {
		return p, err
	}
	data := map[string]string{"email": p.Email}
	if p.PasswordHash != "" && !before.AtLeast(m.Role) {
		data["password"] = "removed"
		p.PasswordHash, p.TOTPSealed, p.TOTPStep, p.Recovery = "", "", 0, nil
		if err := tx.UpdatePerson(ctx, p); err != nil {
			return p, err
		}
		if err := tx.EndSessions(ctx, p.ID); err != nil {
			return p, err
		}
	}
	return p, tx.Record(ctx,
		event.New(organizationID, d.IDP.method(), "member.identity", m.ID, b.RequestID, d.Now(), data))
}
