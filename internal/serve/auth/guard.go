package auth

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Keys finds stored keys. It is called only for secrets with a valid checksum (K1).
type Keys interface {
	FindPrincipal(ctx context.Context, hashes ...string) (store.Principal, error)
	RehashKey(ctx context.Context, keyID, hash string) error
}

// Guard identifies callers. It is safe for concurrent use.
type Guard struct {
	keys    Keys
	hashers []account.Hasher // the first one is for new hashes
	now     func() time.Time
	proxies Proxies
	uses    *Uses // records when keys are used; nil = not recorded
}

// Options configures a Guard.
type Options struct {
	Keys    Keys
	Masters [][]byte // the current master key, then earlier ones for keys not rehashed yet
	Now     func() time.Time
	Proxies Proxies
	Uses    *Uses
}

// New returns a Guard.
func New(o Options) *Guard {
	g := &Guard{keys: o.Keys, now: o.Now, proxies: o.Proxies, uses: o.Uses}
	for _, m := range o.Masters {
		g.hashers = append(g.hashers, account.NewHasher(m))
	}
	return g
}

// Identify returns the principal of a request's key, or the member whose session made the request. Unknown, expired
// and revoked keys get the same error (K3).
func (g *Guard) Identify(r *http.Request) (store.Principal, error) {
	if caller, ok := r.Context().Value(callerKey{}).(Caller); ok {
		return caller(r.Context())
	}
	secret, err := bearer(r.Header)
	if err != nil {
		return store.Principal{}, err
	}
	if !account.WellFormed(secret) {
		return store.Principal{}, InvalidKey()
	}
	p, err := g.find(r.Context(), secret)
	if err != nil {
		return store.Principal{}, err
	}
	if g.uses != nil {
		g.uses.Note(p.Key, g.now())
	}
	return p, nil
}

// Find returns the principal of a secret, even if the key is expired or revoked, or a not-found fault. It checks all
// master keys at once.
func (g *Guard) Find(ctx context.Context, secret string) (store.Principal, error) {
	return g.keys.FindPrincipal(ctx, g.hashes(secret)...)
}

func (g *Guard) hashes(secret string) []string {
	out := make([]string, len(g.hashers))
	for i, h := range g.hashers {
		out[i] = h.Hash(secret)
	}
	return out
}

// find returns the principal of a valid key. Unknown, expired and revoked keys take the same time: one hash for each
// master key and one query. A valid key that was hashed with an earlier master key is rehashed with the current one,
// so that the earlier one can be removed once every key has been used.
func (g *Guard) find(ctx context.Context, secret string) (store.Principal, error) {
	hashes := g.hashes(secret)
	p, err := g.keys.FindPrincipal(ctx, hashes...)
	if fault.Is(err, fault.NotFound) || err == nil && !p.Key.Live(g.now()) {
		return store.Principal{}, InvalidKey()
	}
	if err == nil && p.Key.Hash != hashes[0] {
		err = g.keys.RehashKey(ctx, p.Key.ID, hashes[0])
	}
	if err != nil {
		return store.Principal{}, fmt.Errorf("identify caller: %w", err)
	}
	return p, nil
}

// bearer extracts the key from the single Authorization header.
func bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) == 0 {
		return "", fault.New(fault.Unauthenticated, "missing_key", "This request requires an admin API key.").
			WithHint("Send the header Authorization: Bearer <admin API key>.")
	}
	scheme, secret, ok := strings.Cut(values[0], " ")
	if len(values) > 1 || !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", InvalidKey()
	}
	return strings.TrimSpace(secret), nil
}

// InvalidKey returns the error for keys that are malformed, unknown, expired or revoked (K3).
func InvalidKey() error {
	return fault.New(fault.Unauthenticated, "invalid_key", "The admin API key is not valid.").
		WithHint("It may be mistyped, expired or revoked. Create a new one with: lectern keys create.")
}

// Need describes the requirements of an operation: a scope for keys, a role for members.
type Need struct {
	Scope   account.Scope
	Role    account.Role
	Project string // project concerned; "" = the organization, or something that does not exist
	// Unknown is the error for a member who must not learn that the project exists. It is the same error as for a
	// missing project; nil = the operation concerns the organization
	Unknown error
}

// Permit checks that the principal may make this kind of request from its address.
func (g *Guard) Permit(p store.Principal, r *http.Request, need Need) error {
	if p.ByMember() {
		role := p.Member.RoleIn(need.Project)
		switch {
		case role.AtLeast(need.Role):
			return nil
		case need.Unknown != nil && !role.AtLeast(account.RoleViewer):
			return need.Unknown
		}
		return account.NeedsRole(need.Role, role)
	}
	return g.permitKey(p, r, need.Scope)
}

func (g *Guard) permitKey(p store.Principal, r *http.Request, scope account.Scope) error {
	if !p.Key.AllowsAddress(g.proxies.Caller(r)) {
		return fault.New(fault.Forbidden, "address_not_allowed",
			"The caller's address is not on this key's address list.").
			WithHint("Call from an address on the list, or use a key without one.")
	}
	if !p.Key.May(scope) {
		return fault.Newf(fault.Forbidden, "scope_required", "This operation requires a key with the scope %s.", scope).
			WithHint("Use or create a key with the scope " + string(scope) + ".")
	}
	return nil
}

// RequirePlan checks that the principal's organization has the plan; "" requires none.
func RequirePlan(p store.Principal, plan account.Plan) error {
	if plan == "" || p.Organization.Plan == plan {
		return nil
	}
	return fault.Newf(fault.Forbidden, "plan_required",
		"This operation requires the plan %s; the organization has the plan %s.", plan, p.Organization.Plan).
		WithHint("The server's operator changes plans with: lectern org plan.")
}
