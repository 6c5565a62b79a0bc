package store

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
)

const keyColumns = `k.id, k.organization_id, k.label, k.prefix, k.hash, k.scopes, k.addresses, k.created_by, k.created_at, k.expires_at, k.last_used_at, k.revoked_at`

// keyRow is a key as its columns hold it.
type keyRow struct {
	k                      account.Key
	scopes, addresses      string
	created                int64
	expires, used, revoked *int64
}

func (r *keyRow) dest() []any {
	return []any{&r.k.ID, &r.k.OrganizationID, &r.k.Label, &r.k.Prefix, &r.k.Hash, &r.scopes, &r.addresses, &r.k.CreatedBy, &r.created, &r.expires, &r.used, &r.revoked}
}

func (r *keyRow) key() (account.Key, error) {
	var err error
	if r.k.Scopes, err = fromJSON[[]account.Scope](r.scopes); err != nil {
		return r.k, err
	}
	if r.k.Addresses, err = fromJSON[[]netip.Prefix](r.addresses); err != nil {
		return r.k, err
	}
	r.k.CreatedAt = fromMicros(r.created)
	r.k.ExpiresAt, r.k.LastUsedAt, r.k.RevokedAt = fromMicrosOrNull(r.expires), fromMicrosOrNull(r.used), fromMicrosOrNull(r.revoked)
	return r.k, nil
}

func scanKey(s scanner) (account.Key, error) {
	var r keyRow
	if err := s.Scan(r.dest()...); err != nil {
		return r.k, err
	}
	return r.key()
}

// CreateKey stores a key under a new id.
func (t *Tx) CreateKey(ctx context.Context, k account.Key) (account.Key, error) {
	k.ID, k.CreatedAt, k.ExpiresAt = t.s.ids.New(id.Key), fromMicros(micros(k.CreatedAt)), fromMicrosOrNull(microsOrNull(k.ExpiresAt))
	_, err := t.q.exec(ctx, `INSERT INTO api_keys (id, organization_id, label, prefix, hash, scopes, addresses, created_by, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		k.ID, k.OrganizationID, k.Label, k.Prefix, k.Hash, asJSON(k.Scopes), asJSON(k.Addresses), k.CreatedBy, micros(k.CreatedAt), microsOrNull(k.ExpiresAt))
	return k, wrap("store key", err)
}

// FindPrincipal returns the key with that hash and its organization, in one query because every request asks it.
// Dead keys are returned too: whether a key is live is for the caller to say.
func (r reads) FindPrincipal(ctx context.Context, hash string) (Principal, error) {
	p, err := single(ctx, r.q, func(s scanner) (Principal, error) {
		var row keyRow
		var o account.Organization
		var created int64
		if err := s.Scan(append(row.dest(), &o.ID, &o.Name, &o.Plan, &created)...); err != nil {
			return Principal{}, err
		}
		o.CreatedAt = fromMicros(created)
		k, err := row.key()
		return Principal{Key: k, Organization: o}, err
	}, `SELECT `+keyColumns+`, o.id, o.name, o.plan, o.created_at FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.hash = $1`, hash)
	if errors.Is(err, errNone) {
		return p, fault.New(fault.NotFound, "unknown_key", "There is no such key.")
	}
	return p, wrap("find key", err)
}

// ListKeys returns a page of an organization's keys, newest first, and the next page's cursor or "".
func (r reads) ListKeys(ctx context.Context, organizationID string, p Page) ([]account.Key, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanKey, `SELECT `+keyColumns+` FROM api_keys k WHERE k.organization_id = $1 AND (k.created_at, k.id) < ($2, $3)
		ORDER BY k.created_at DESC, k.id DESC LIMIT $4`, organizationID, at, after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list keys", err)
	}
	list, next := cut(list, p.Limit, func(k account.Key) (int64, string) { return micros(k.CreatedAt), k.ID })
	return list, next, nil
}

// RevokeKey ends a key for good. Revoking twice is no error.
func (t *Tx) RevokeKey(ctx context.Context, organizationID, keyID string) error {
	n, err := t.q.exec(ctx, `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $3) WHERE organization_id = $1 AND id = $2`,
		organizationID, keyID, micros(t.now()))
	if err == nil && n == 0 {
		return fault.New(fault.NotFound, "unknown_key", "There is no such key.")
	}
	return wrap("revoke key", err)
}

// RehashKey stores a key's hash under a new secret key of the server, once its owner has shown the key again.
func (s *Store) RehashKey(ctx context.Context, keyID, hash string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE api_keys SET hash = $2 WHERE id = $1`, keyID, hash)
		return wrap("rehash key", err)
	})
}

// TouchKey notes that a key was used. Callers keep it to about once a minute for each key.
func (s *Store) TouchKey(ctx context.Context, keyID string, at time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`, keyID, micros(at))
		return wrap("note use of key", err)
	})
}
