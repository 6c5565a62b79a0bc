package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const credentialColumns = `c.id, c.organization_id, c.name, c.kind, c.base_url, c.sealed, c.created_by, ` +
	`c.created_at, c.updated_at, c.last_used_at`

func scanCredential(s scanner) (account.Credential, error) {
	var c account.Credential
	var created, updated int64
	var used *int64
	err := s.Scan(&c.ID, &c.OrganizationID, &c.Name, &c.Kind, &c.BaseURL, &c.Sealed, &c.CreatedBy, &created, &updated,
		&used)
	c.CreatedAt, c.UpdatedAt, c.LastUsedAt = fromMicros(created), fromMicros(updated), fromMicrosOrNull(used)
	return c, err
}

// CreateCredential stores a credential under a new id. seal is called with the id and returns the sealed secret.
func (t *Tx) CreateCredential(ctx context.Context, c account.Credential,
	seal func(credentialID string) string) (account.Credential, error) {
	if err := t.HoldOrganization(ctx, c.OrganizationID); err != nil { // keeps the count below correct
		return c, err
	}
	n, err := single(ctx, t.q, func(s scanner) (n int64, err error) { return n, s.Scan(&n) },
		`SELECT COUNT(*) FROM credentials WHERE organization_id = $1`, c.OrganizationID)
	if err != nil {
		return c, wrap("count credentials", err)
	}
	if n >= account.MaxCredentials {
		return c, fault.Newf(fault.Conflict, "too_many_credentials", "An organization can have at most %d credentials.",
			account.MaxCredentials).WithHint("Delete one that no project uses.")
	}
	c.ID, c.CreatedAt, c.UpdatedAt = t.s.ids.New(id.Credential), t.now(), t.now()
	c.Sealed = seal(c.ID)
	n, err = t.q.exec(ctx,
		`INSERT INTO credentials (id, organization_id, name, kind, base_url, sealed, created_by, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (organization_id, name) DO NOTHING`,
		c.ID, c.OrganizationID, c.Name, string(c.Kind), c.BaseURL, c.Sealed, c.CreatedBy, micros(c.CreatedAt),
		micros(c.UpdatedAt))
	if err == nil && n == 0 {
		return c, fault.Newf(fault.Conflict, "credential_exists", "A credential named %q already exists.", c.Name).
			WithField("name").WithHint("Replace its value, or choose another name.")
	}
	return c, wrap("store credential", err)
}

// ReplaceCredential stores a new address and secret for a credential.
func (t *Tx) ReplaceCredential(ctx context.Context, c account.Credential) (account.Credential, error) {
	c.UpdatedAt = t.now()
	n, err := t.q.exec(ctx,
		`UPDATE credentials SET base_url = $3, sealed = $4, updated_at = $5 WHERE organization_id = $1 AND id = $2`,
		c.OrganizationID, c.ID, c.BaseURL, c.Sealed, micros(c.UpdatedAt))
	if err == nil && n == 0 {
		return c, account.UnknownCredential()
	}
	return c, wrap("replace credential", err)
}

// DeleteCredential deletes a credential and returns its last state.
func (t *Tx) DeleteCredential(ctx context.Context, organizationID, credentialID string) (account.Credential, error) {
	c, err := t.FindCredential(ctx, organizationID, credentialID)
	if err != nil {
		return c, err
	}
	_, err = t.q.exec(ctx, `DELETE FROM credentials WHERE organization_id = $1 AND id = $2`, organizationID,
		credentialID)
	return c, wrap("delete credential", err)
}

// FindCredential returns a credential of the organization by id. A credential of another organization is reported as
// not found (A8).
func (r reads) FindCredential(ctx context.Context, organizationID, credentialID string) (account.Credential, error) {
	return r.oneCredential(ctx, `c.id = $2`, organizationID, credentialID)
}

// FindCredentialByName is like FindCredential, but finds the credential by the name that projects refer to.
func (r reads) FindCredentialByName(ctx context.Context, organizationID, name string) (account.Credential, error) {
	return r.oneCredential(ctx, `c.name = $2`, organizationID, name)
}

func (r reads) oneCredential(ctx context.Context, where, organizationID, value string) (account.Credential, error) {
	c, err := single(ctx, r.q, scanCredential, `SELECT `+credentialColumns+
		` FROM credentials c WHERE c.organization_id = $1 AND `+where, organizationID, value)
	if errors.Is(err, errNone) {
		return c, account.UnknownCredential()
	}
	return c, wrap("find credential", err)
}

// ListCredentials returns all credentials of an organization, ordered by name. If organizationID is empty, it returns
// the credentials of all organizations.
func (r reads) ListCredentials(ctx context.Context, organizationID string) ([]account.Credential, error) {
	list, err := collect(ctx, r.q, scanCredential,
		`SELECT `+credentialColumns+
			` FROM credentials c WHERE $1 = '' OR c.organization_id = $1 ORDER BY c.organization_id, c.name`,
		organizationID)
	return list, wrap("list credentials", err)
}

// ResealCredential stores the secret after it was encrypted with another master key, unless the secret has been
// replaced in the meantime.
func (t *Tx) ResealCredential(ctx context.Context, c account.Credential, sealed string) error {
	_, err := t.q.exec(ctx, `UPDATE credentials SET sealed = $3 WHERE id = $1 AND sealed = $2`, c.ID, c.Sealed, sealed)
	return wrap("reseal credential", err)
}

// TouchCredential records when a credential was last used, with a resolution of one minute.
func (s *Store) TouchCredential(ctx context.Context, c account.Credential, at time.Time) error {
	if c.LastUsedAt != nil && at.Sub(*c.LastUsedAt) < time.Minute {
		return nil
	}
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE credentials SET last_used_at = $2 WHERE id = $1`, c.ID, micros(at))
		return wrap("record use of credential", err)
	})
}
