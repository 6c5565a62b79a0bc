package adminapi

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	keysAnHour = 10 // new keys for each organization (K7)
	keyWindow  = time.Hour
)

func showKey(k account.Key) client.Key {
	out := client.Key{KeyID: k.ID, Label: k.Label, Prefix: k.Prefix, Scopes: []string{}, Addresses: []string{},
		CreatedAt: stamp(k.CreatedAt), CreatedBy: orNull(k.CreatedBy),
		ExpiresAt: stampOrNull(k.ExpiresAt), LastUsedAt: stampOrNull(k.LastUsedAt), RevokedAt: stampOrNull(k.RevokedAt)}
	for _, s := range k.Scopes {
		out.Scopes = append(out.Scopes, string(s))
	}
	for _, p := range k.Addresses {
		out.Addresses = append(out.Addresses, showNetwork(p))
	}
	return out
}

// showNetwork formats a prefix; a single address has no prefix length, as people would write it.
func showNetwork(p netip.Prefix) string {
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}

func (a *api) createKey(c *call) (response, error) {
	k, err := a.readKey(c)
	if err != nil {
		return response{}, err
	}
	secret := account.NewSecret(a.Rand)
	k.Prefix, k.Hash = account.Visible(secret), a.hasher.Hash(secret)
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		// The organization stays locked until the end, so that checkKeyRate counts correctly even if several keys are
		// created at once.
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		if k, err = tx.CreateKey(c.ctx(), k); err != nil {
			return err
		}
		if err := tx.Record(c.ctx(), a.event(c, "key.create", k.ID, k.AuditData())); err != nil {
			return err
		}
		return a.checkKeyRate(c, tx)
	})
	if err != nil {
		return response{}, err
	}
	s := showKey(k)
	return response{status: http.StatusCreated,
		body: client.NewKey{KeyID: s.KeyID, Label: s.Label, Prefix: s.Prefix, Scopes: s.Scopes,
			Addresses: s.Addresses, CreatedAt: s.CreatedAt, CreatedBy: s.CreatedBy, ExpiresAt: s.ExpiresAt,
			LastUsedAt: s.LastUsedAt,
			RevokedAt:  s.RevokedAt, Secret: secret}}, nil
}

// readKey parses the request body for a new key. The key never gets more scopes, a longer lifetime or a wider range of
// allowed addresses than the caller has.
func (a *api) readKey(c *call) (account.Key, error) {
	var in struct {
		Label         string    `json:"label"`
		Scopes        *[]string `json:"scopes"`
		ExpiresInDays *int      `json:"expiresInDays" nullable:"true"`
		Addresses     []string  `json:"addresses"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return account.Key{}, err
	}
	req := account.Request{Label: in.Label, ExpiresInDays: in.ExpiresInDays, Addresses: in.Addresses,
		CreatedBy: c.principal.Actor(), Within: c.principal.Limit()}
	if in.Scopes != nil {
		if len(*in.Scopes) == 0 {
			return account.Key{}, fault.New(fault.Invalid, "invalid_field", "scopes must not be empty.").
				WithField("scopes").WithHint("Omit scopes to create a key with both read and write access.")
		}
		req.Scopes = *in.Scopes
	}
	return account.NewKey(c.org(), req, a.Now())
}

// checkKeyRate rejects a key that was just created if it exceeds the hourly limit.
func (a *api) checkKeyRate(c *call, tx *store.Tx) error {
	newest, _, err := tx.ListKeys(c.ctx(), c.org(), store.Page{Limit: keysAnHour + 1})
	if err != nil || len(newest) <= keysAnHour {
		return err
	}
	wait := newest[keysAnHour].CreatedAt.Add(keyWindow).Sub(a.Now())
	if wait <= 0 {
		return nil
	}
	return fault.Newf(fault.RateLimited, "too_many_keys", "An organization can create at most %d keys per hour.",
		keysAnHour).WithRetryAfter(wait)
}

func (a *api) listKeys(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListKeys(c.ctx(), c.org(), p)
	if err != nil {
		return response{}, err
	}
	body := client.KeyList{Keys: []client.Key{}, NextCursor: orNull(next)}
	for _, k := range list {
		body.Keys = append(body.Keys, showKey(k))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) revokeKey(c *call) (response, error) {
	keyID := c.pathID("keyId", id.Key)
	children, err := c.flag("children")
	if err != nil {
		return response{}, err
	}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		gone, err := tx.RevokeKey(c.ctx(), c.org(), keyID, children)
		if err != nil {
			return err
		}
		for _, e := range revocation(a.event(c, "key.revoke", keyID, nil), gone) {
			if err := tx.Record(c.ctx(), e); err != nil {
				return err
			}
		}
		return nil
	})
	return response{status: http.StatusNoContent}, err
}

// revocation returns the audit records for a revoked key: its own, those of the keys that were revoked with it, and
// those of the links they created.
func revocation(own event.Event, gone store.Revoked) []event.Event {
	also := func(action, target string, data map[string]string) event.Event {
		return event.New(own.OrganizationID, own.Actor, action, target, own.RequestID, own.At, data)
	}
	out := []event.Event{own}
	for _, child := range gone.Children {
		out = append(out, also("key.revoke", child, map[string]string{"parent": own.Target}))
	}
	for _, i := range gone.Links {
		out = append(out, also("invitation.revoke", i.ID, linkData(i)))
	}
	return out
}
