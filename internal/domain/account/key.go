package account

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Scope is a permission of a key.
type Scope string

// The scopes. Operations that only read require ScopeRead, all others ScopeWrite, with these exceptions: published
// content can be read with ScopeDiscovery alone, which ScopeRead includes; operations on members, invitations, keys and
// the organization's settings require ScopeAdmin, which no other scope includes. ScopeSCIM is for an identity provider
// that manages members and groups. It permits only the SCIM endpoints, and no other scope permits them.
const (
	ScopeRead      Scope = "read"
	ScopeWrite     Scope = "write"
	ScopeDiscovery Scope = "discovery"
	ScopeAdmin     Scope = "admin"
	ScopeSCIM      Scope = "scim"
)

// Scopes lists all scopes.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeWrite, ScopeDiscovery, ScopeAdmin, ScopeSCIM} }

// Key is a stored admin API key; it does not contain the secret.
type Key struct {
	ID             string
	OrganizationID string
	Label          string
	Prefix         string // the first characters of the secret, which may be shown
	Hash           string // keyed hash of the secret
	Scopes         []Scope
	Addresses      []netip.Prefix // addresses from which the key may be used; empty = all
	CreatedBy      string         // id of the key or member that created it; "" = the server's operator
	CreatedAt      time.Time
	ExpiresAt      *time.Time // nil = never
	LastUsedAt     *time.Time // nil = never used; resolution of one minute
	RevokedAt      *time.Time // nil = not revoked
}

// Live reports whether the key is neither revoked nor expired.
func (k Key) Live(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// May reports whether the key has the scope.
func (k Key) May(s Scope) bool {
	return slices.Contains(k.Scopes, s) || s == ScopeDiscovery && slices.Contains(k.Scopes, ScopeRead)
}

// ScopeNames returns the key's scopes, separated by spaces.
func (k Key) ScopeNames() string {
	names := make([]string, len(k.Scopes))
	for i, s := range k.Scopes {
		names[i] = string(s)
	}
	return strings.Join(names, " ")
}

// AuditData returns the content of the audit record for a new key. It never includes the key's secret (K7).
func (k Key) AuditData() map[string]string {
	data := map[string]string{"label": k.Label, "scopes": k.ScopeNames(), "expiresAt": "never"}
	if k.ExpiresAt != nil {
		data["expiresAt"] = k.ExpiresAt.UTC().Truncate(time.Microsecond).Format(time.RFC3339)
	}
	if len(k.Addresses) > 0 {
		networks := make([]string, len(k.Addresses))
		for i, p := range k.Addresses {
			networks[i] = p.String()
		}
		data["addresses"] = strings.Join(networks, " ")
	}
	return data
}

// AllowsAddress reports whether a caller at addr may use the key. An IPv4-mapped IPv6 address counts as IPv4 (K5).
func (k Key) AllowsAddress(addr netip.Addr) bool {
	if len(k.Addresses) == 0 {
		return true
	}
	addr = addr.Unmap()
	return slices.ContainsFunc(k.Addresses, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// Request is a caller's request to create a key.
type Request struct {
	Label         string
	Scopes        []string
	ExpiresInDays *int // 7, 30, 60, 90 or nil for never
	Addresses     []string
	CreatedBy     string
	Within        *Limit // limits of the new key; nil = created by the server's operator
}

// maxAddresses limits a key's address list.
const maxAddresses = 50

// NewKey validates a request and returns the organization's new key. The caller adds the id and the secret's hash.
func NewKey(organizationID string, r Request, now time.Time) (Key, error) {
	k := Key{OrganizationID: organizationID, Label: strings.TrimSpace(r.Label), CreatedBy: r.CreatedBy, CreatedAt: now}
	if len(k.Label) > 100 {
		return Key{}, fault.New(fault.Invalid, "invalid_field", "label may have at most 100 characters.").
			WithField("label")
	}
	var err error
	if k.Scopes, err = parseScopes(r.Scopes); err != nil {
		return Key{}, err
	}
	if k.Addresses, err = parseAddresses(r.Addresses); err != nil {
		return Key{}, err
	}
	if r.ExpiresInDays != nil {
		if !slices.Contains([]int{7, 30, 60, 90}, *r.ExpiresInDays) {
			return Key{}, fault.New(fault.Invalid, "invalid_field",
				"expiresInDays must be 7, 30, 60 or 90, or omitted.").WithField("expiresInDays")
		}
		at := now.AddDate(0, 0, *r.ExpiresInDays)
		k.ExpiresAt = &at
	}
	return k, k.fitWithin(r.Within)
}

// parseScopes parses scope names; an empty list means read and write.
func parseScopes(names []string) ([]Scope, error) {
	if len(names) == 0 {
		return []Scope{ScopeRead, ScopeWrite}, nil
	}
	var out []Scope
	for _, n := range names {
		s := Scope(n)
		if !slices.Contains(Scopes(), s) {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "Unknown scope %q.", n).
				WithField("scopes").WithHint("Valid scopes are read, write, discovery, admin and scim.")
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// parseAddresses parses addresses and networks. It refuses a list that permits everyone, because such a list would give
// a false sense of security.
func parseAddresses(list []string) ([]netip.Prefix, error) {
	if len(list) > maxAddresses {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "addresses may have at most %d entries.", maxAddresses).
			WithField("addresses")
	}
	var out []netip.Prefix
	for _, s := range list {
		p, err := parseNetwork(s)
		if err != nil {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is not an IP address or network.", s).
				WithField("addresses").WithHint("Write 203.0.113.7 or 203.0.113.0/24.")
		}
		if p.Bits() == 0 {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "%q covers every address.", s).
				WithField("addresses").WithHint("Omit addresses to allow every caller.")
		}
		out = append(out, p)
	}
	return out, nil
}

// parseNetwork parses "203.0.113.0/24" or a single address; IPv4-mapped IPv6 becomes IPv4.
func parseNetwork(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		a = a.Unmap().WithZone("")
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}
