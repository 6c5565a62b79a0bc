package account

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limit restricts a new key to the rights of its creator: what it may do, for how long and from where.
type Limit struct {
	Scopes    []Scope
	ExpiresAt *time.Time     // nil = no limit
	Addresses []netip.Prefix // empty = any address
}

// Limit returns the limits for keys that this key creates.
func (k Key) Limit() *Limit {
	return &Limit{Scopes: k.Scopes, ExpiresAt: k.ExpiresAt, Addresses: k.Addresses}
}

// Limit returns the limits for keys that a member with this role creates.
func (r Role) Limit() *Limit { return &Limit{Scopes: r.Scopes()} }

// fitWithin refuses a key that exceeds the limit. If the request does not set an expiry or addresses, the key inherits
// those of the limit.
func (k *Key) fitWithin(l *Limit) error {
	if l == nil {
		return nil
	}
	maker := Key{Scopes: l.Scopes}
	for _, s := range k.Scopes {
		if !maker.May(s) {
			return fault.Newf(fault.Forbidden, "scope_required",
				"Only a caller with the scope %s can create a key with that scope.", s).WithField("scopes").
				WithHint("Request fewer scopes. Without scopes, a key gets read and write.")
		}
	}
	if err := k.fitExpiry(l.ExpiresAt); err != nil {
		return err
	}
	return k.fitAddresses(l.Addresses)
}

func (k *Key) fitExpiry(end *time.Time) error {
	switch {
	case end == nil:
		return nil
	case k.ExpiresAt == nil:
		k.ExpiresAt = end
		return nil
	case k.ExpiresAt.After(*end):
		return fault.Newf(fault.Forbidden, "key_limit",
			"The new key would outlive the key that creates it, which expires at %s.", end.UTC().Format(time.RFC3339)).
			WithField("expiresInDays").
			WithHint("Choose fewer days, or omit expiresInDays to let the new key expire at the same time.")
	}
	return nil
}

func (k *Key) fitAddresses(allowed []netip.Prefix) error {
	if len(allowed) == 0 {
		return nil
	}
	if len(k.Addresses) == 0 {
		k.Addresses = slices.Clone(allowed)
		return nil
	}
	for _, p := range k.Addresses {
		if !slices.ContainsFunc(allowed,
			func(in netip.Prefix) bool { return in.Bits() <= p.Bits() && in.Contains(p.Addr()) }) {
			return fault.Newf(fault.Forbidden, "key_limit",
				"%s is not covered by the address list of the key that creates the new one.", p).
				WithField("addresses").
				WithHint("Choose addresses within that key's list, or omit addresses to use the same list.")
		}
	}
	return nil
}
