package store

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const keyColumns = `k.id, k.organization_id, k.label, k.prefix, k.hash, k.scopes, k.addresses, k.created_by, ` +
	`k.created_at, k.expires_at, k.last_used_at, k.revoked_at`

// keyRow holds the columns of a key as they are scanned.
type keyRow struct {
	k                      account.Key
	scopes, addresses      string
	created                int64
	expires, used, revoked *int64
}

func (r *keyRow) dest() []any {
	return []any{&r.k.ID, &r.k.OrganizationID, &r.k.Label, &r.k.Prefix, &r.k.Hash, &r.scopes, &r.addresses,
		&r.k.CreatedBy, &r.created, &r.expires, &r.used, &r.revoked}
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
	r.k.ExpiresAt, r.k.LastUsedAt, r.k.RevokedAt = fromMicrosOrNull(r.expires), fromMicrosOrNull(r.used),
		fromMicrosOrNull(r.revoked)
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
	k.ID, k.CreatedAt, k.ExpiresAt = t.s.ids.New(id.Key), fromMicros(micros(k.CreatedAt)),
		fromMicrosOrNull(microsOrNull(k.ExpiresAt))
	_,
		err := t.q.exec(ctx,
		`INSERT INTO api_keys (id, organization_id, label, prefix, hash, scopes, addresses, created_by, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		k.ID, k.OrganizationID, k.Label, k.Prefix, k.Hash, asJSON(k.Scopes), asJSON(k.Addresses), k.CreatedBy,
		micros(k.CreatedAt), microsOrNull(k.ExpiresAt))
	return k, wrap("store key", err)
}

// FindPrincipal returns the key that has one of the hashes, together with its organization. It always runs a single
// query of the same form, whether or not there is such a key: every request calls it, and its duration must not reveal
// anything (K3). It also returns revoked and expired keys; the caller decides whether a key is valid.
func (r reads) FindPrincipal(ctx context.Context, hashes ...string) (Principal, error) {
	places, args := make([]string, len(hashes)), make([]any, len(hashes))
	for i, h := range hashes {
		places[i], args[i] = "$"+strconv.Itoa(i+1), h
	}
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
	}, `SELECT `+keyColumns+
		`, o.id, o.name, o.plan, o.created_at FROM api_keys k JOIN organizations o ON o.id = k.organization_id `+
		`WHERE k.hash IN (`+strings.Join(places, ", ")+`)`, args...)
	if errors.Is(err, errNone) {
		return p, unknownKey()
	}
	return p, wrap("find key", err)
}

// FindKey returns a key of an organization, even if it is revoked or expired.
func (r reads) FindKey(ctx context.Context, organizationID, keyID string) (account.Key, error) {
	k, err := single(ctx, r.q, scanKey,
		`SELECT `+keyColumns+` FROM api_keys k WHERE k.organization_id = $1 AND k.id = $2`, organizationID, keyID)
	if errors.Is(err, errNone) {
		return k, unknownKey()
	}
	return k, wrap("find key", err)
}

// ListKeyChildren returns all keys that a key created, directly or indirectly, oldest first, including revoked keys.
func (r reads) ListKeyChildren(ctx context.Context, organizationID, keyID string) ([]account.Key, error) {
	list, err := collect(ctx, r.q, scanKey, `WITH RECURSIVE made (id) AS (
			SELECT id FROM api_keys WHERE organization_id = $1 AND created_by = $2
			UNION SELECT c.id FROM api_keys c JOIN made ON c.created_by = made.id WHERE c.organization_id = $1)
		SELECT `+keyColumns+
		` FROM api_keys k WHERE k.organization_id = $1 AND k.id IN (SELECT id FROM made) ORDER BY k.created_at, k.id`,
		organizationID, keyID)
	return list, wrap("list keys that a key made", err)
}

// ListKeys returns a page of an organization's keys, newest first, and the cursor of the next page, or "" if there is
// none.
func (r reads) ListKeys(ctx context.Context, organizationID string, p Page) ([]account.Key, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanKey,
		`SELECT `+keyColumns+` FROM api_keys k WHERE k.organization_id = $1 AND (k.created_at, k.id) < ($2, $3)
		ORDER BY k.created_at DESC, k.id DESC LIMIT $4`, organizationID, at, after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list keys", err)
	}
	list, next := cut(list, p.Limit, func(k account.Key) (int64, string) { return micros(k.CreatedAt), k.ID })
	return list, next, nil
}

// Revoked lists what was revoked together with a key.
type Revoked struct {
	Children []string // ids of keys that the key created and that were revoked too
	Links    []account.Invitation
}

// RevokeKey revokes a key permanently. It also revokes the links that the key created, because someone with a leaked
// key may have created a link to get back in. If children is true, keys created by the key are revoked too,
// recursively. The caller must hold the organization and records the event. It is not an error if the key is already
// revoked.
func (t *Tx) RevokeKey(ctx context.Context, organizationID, keyID string, children bool) (gone Revoked, err error) {
	if err := t.endKey(ctx, organizationID, keyID); err != nil {
		return gone, err
	}
	all := []string{keyID}
	if children {
		made, err := t.ListKeyChildren(ctx, organizationID, keyID)
		if err != nil {
			return gone, err
		}
		for _, k := range made {
			all = append(all, k.ID)
			if k.RevokedAt != nil {
				continue
			}
			if err := t.endKey(ctx, organizationID, k.ID); err != nil {
				return gone, err
			}
			gone.Children = append(gone.Children, k.ID)
		}
	}
	gone.Links, err = t.WithdrawLinks(ctx, organizationID, func(i account.Invitation) bool {
		return slices.ContainsFunc(all, func(one string) bool { return i.MadeBeyond(one, "") })
	})
	return gone, err
}

func (t *Tx) endKey(ctx context.Context, organizationID, keyID string) error {
	n, err := t.q.exec(ctx,
		`UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $3) WHERE organization_id = $1 AND id = $2`,
		organizationID, keyID, micros(t.now()))
	if err == nil && n == 0 {
		return unknownKey()
	}
	return wrap("revoke key", err)
}

func unknownKey() error { return fault.New(fault.NotFound, "unknown_key", "API key not found.") }

// RehashKey stores a key's hash that was computed with a new server secret. This is possible only after the key has
// been presented again.
func (s *Store) RehashKey(ctx context.Context, keyID, hash string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE api_keys SET hash = $2 WHERE id = $1`, keyID, hash)
		return wrap("rehash key", err)
	})
}

// TouchKey records that a key was used. Callers limit this to about once a minute per key.
func (s *Store) TouchKey(ctx context.Context, keyID string, at time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		_,
			err := t.q.exec(ctx,
			`UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
			keyID, micros(at))
		return wrap("record use of key", err)
	})
}
