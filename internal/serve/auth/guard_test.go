package auth_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// keyRing is a set of stored keys that records its queries.
type keyRing struct {
	byHash  map[string]store.Principal
	queries int
	asked   []string // each query with its number of hashes, and each write
	fail    error
}

func (k *keyRing) FindPrincipal(_ context.Context, hashes ...string) (store.Principal, error) {
	k.queries++
	k.asked = append(k.asked, fmt.Sprint("find ", len(hashes)))
	if k.fail != nil {
		return store.Principal{}, k.fail
	}
	for _, hash := range hashes {
		if p, ok := k.byHash[hash]; ok {
			p.Key.Hash = hash
			return p, nil
		}
	}
	return store.Principal{}, fault.New(fault.NotFound, "unknown_key", "API key not found.")
}

func (k *keyRing) RehashKey(_ context.Context, keyID, hash string) error {
	k.asked = append(k.asked, "rehash")
	for old, p := range k.byHash {
		if p.Key.ID == keyID {
			delete(k.byHash, old)
			k.byHash[hash] = p
		}
	}
	return nil
}

func (k *keyRing) add(master string, change func(*account.Key)) (secret string) {
	secret = account.NewSecret(rand.Reader)
	key := account.Key{ID: "key_" + secret[8:14], Scopes: []account.Scope{account.ScopeRead, account.ScopeWrite}}
	if change != nil {
		change(&key)
	}
	k.byHash[account.NewHasher([]byte(master)).Hash(secret)] = store.Principal{Key: key,
		Organization: account.Organization{ID: "org_a", Plan: account.PlanPro}}
	return secret
}

func request(authorization ...string) *http.Request {
	r := httptest.NewRequest("GET", "/v1/projects", nil)
	for _, a := range authorization {
		r.Header.Add("Authorization", a)
	}
	return r
}

func newGuard(k *keyRing) *auth.Guard {
	return auth.New(auth.Options{Keys: k, Masters: [][]byte{[]byte("new"), []byte("old")},
		Now: func() time.Time { return now }})
}

// K1: a key with any single altered character is refused before any query.
func TestMistypedKeyCausesNoQuery(t *testing.T) {
	k := &keyRing{byHash: map[string]store.Principal{}}
	secret := k.add("new", nil)
	g := newGuard(k)
	for i := range secret {
		for _, c := range "0aZ_" {
			altered := secret[:i] + string(c) + secret[i+1:]
			if altered == secret {
				continue
			}
			if _, err := g.Identify(request("Bearer " + altered)); !fault.Is(err, fault.Unauthenticated) {
				t.Fatalf("%q: %v", altered, err)
			}
		}
	}
	if k.queries != 0 {
		t.Fatalf("%d queries for mistyped keys", k.queries)
	}
	if _, err := g.Identify(request("Bearer " + secret)); err != nil || k.queries != 1 {
		t.Fatalf("right key: %v after %d queries", err, k.queries)
	}
}

// K3: unknown, expired and revoked keys get the same response and cause the same work, whichever master key hashed
// them: one hash for each master key, one query, and no write.
func TestInvalidKeysAreIndistinguishableFromUnknownOnes(t *testing.T) {
	k := &keyRing{byHash: map[string]store.Principal{}}
	before := now.Add(-time.Second)
	dead := map[string]string{}
	for _, master := range []string{"new", "old"} {
		dead["expired "+master] = k.add(master, func(key *account.Key) { key.ExpiresAt = &now })
		dead["revoked "+master] = k.add(master, func(key *account.Key) { key.RevokedAt = &before })
	}
	g := newGuard(k)
	_, unknown := g.Identify(request("Bearer " + account.NewSecret(rand.Reader)))
	if want := []string{"find 2"}; !slices.Equal(k.asked, want) {
		t.Fatalf("an unknown key: %q, want %q", k.asked, want)
	}
	steps := slices.Clone(k.asked)
	for name, secret := range dead {
		k.asked = nil
		_, err := g.Identify(request("Bearer " + secret))
		got, ok := fault.As(err)
		want, _ := fault.As(unknown)
		if !ok || *got != *want {
			t.Errorf("%s: %+v, unknown: %+v", name, got, want)
		}
		if !slices.Equal(k.asked, steps) {
			t.Errorf("%s: %q, unknown: %q", name, k.asked, steps)
		}
	}
}

func TestOnlyOneBearerHeaderIsAccepted(t *testing.T) {
	k := &keyRing{byHash: map[string]store.Principal{}}
	s := k.add("new", nil)
	g := newGuard(k)
	for _, bad := range [][]string{nil, {""}, {"Bearer"}, {"Basic " + s}, {s}, {"Bearer " + s, "Bearer " + s},
		{"Bearer " + s + " x"}} {
		if _, err := g.Identify(request(bad...)); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%d headers, first with %d characters: %v", len(bad), len(strings.Join(bad, "")), err)
		}
	}
	if _, err := g.Identify(request("bearer " + s)); err != nil {
		t.Errorf("the scheme's case matters: %v", err)
	}
}

func TestKeysHashedWithEarlierMasterKeyWork(t *testing.T) {
	k := &keyRing{byHash: map[string]store.Principal{}}
	old, foreign := k.add("old", nil), k.add("foreign", nil)
	if _, err := newGuard(k).Identify(request("Bearer " + old)); err != nil {
		t.Errorf("old master: %v", err)
	}
	if _, err := newGuard(k).Identify(request("Bearer " + foreign)); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("foreign master: %v", err)
	}
}

func TestStoreFailureIsNotBlamedOnCaller(t *testing.T) {
	k := &keyRing{fail: errors.New("database away")}
	_, err := newGuard(k).Identify(request("Bearer " + account.NewSecret(rand.Reader)))
	if _, isFault := fault.As(err); err == nil || isFault {
		t.Errorf("got %v", err)
	}
}

// K4: the error names a missing scope.
func TestErrorsNameMissingScopeOrPlan(t *testing.T) {
	g := newGuard(&keyRing{})
	p := store.Principal{Key: account.Key{Scopes: []account.Scope{account.ScopeRead}},
		Organization: account.Organization{Plan: account.PlanFree}}
	if err := g.Permit(p, request(), auth.Need{Scope: account.ScopeRead}); err != nil {
		t.Errorf("read: %v", err)
	}
	if err := g.Permit(p, request(), auth.Need{Scope: account.ScopeWrite}); !fault.Is(err, fault.Forbidden) ||
		!strings.Contains(err.Error(), "write") {
		t.Errorf("write: %v", err)
	}
	if err := auth.RequirePlan(p, account.PlanEnterprise); !fault.HasCode(err, "plan_required") ||
		!strings.Contains(err.Error(), "enterprise") {
		t.Errorf("plan: %v", err)
	}
	if err := auth.RequirePlan(p, ""); err != nil {
		t.Errorf("no plan: %v", err)
	}
}

// K5: forwarded addresses count only from trusted proxies, and IPv4 written as IPv6 is treated as IPv4.
func TestCallerAddress(t *testing.T) {
	trusted := auth.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"198.51.100.7:1000", "", "198.51.100.7"},
		{"198.51.100.7:1000", "203.0.113.9", "198.51.100.7"},
		{"[::ffff:198.51.100.7]:1000", "", "198.51.100.7"},
		{"10.0.0.1:1000", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1000", "192.0.2.1, 203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1000", "203.0.113.9, 10.0.0.2", "203.0.113.9"},
		{"10.0.0.1:1000", "::ffff:203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1000", "203.0.113.9:4711", "203.0.113.9"},
		{"[fd00::1]:1000", "[2001:db8::5]:99", "2001:db8::5"},
		{"10.0.0.1:1000", "", "10.0.0.1"},
		{"10.0.0.1:1000", "203.0.113.9, unknown", "invalid IP"},
	} {
		r := request()
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := trusted.Caller(r).String(); got != c.want {
			t.Errorf("%s, forwarded for %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

func TestInvalidAddressMatchesNoList(t *testing.T) {
	g := auth.New(auth.Options{Proxies: auth.Proxies{netip.MustParsePrefix("192.0.2.0/24")}})
	p := store.Principal{Key: account.Key{Scopes: []account.Scope{account.ScopeRead},
		Addresses: []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}}}
	r := request() // httptest requests come from 192.0.2.1
	r.Header.Set("X-Forwarded-For", "nonsense")
	if err := g.Permit(p, r, auth.Need{Scope: account.ScopeRead}); !fault.HasCode(err, "address_not_allowed") {
		t.Errorf("got %v", err)
	}
	r.Header.Set("X-Forwarded-For", "203.0.113.5")
	if err := g.Permit(p, r, auth.Need{Scope: account.ScopeRead}); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestBaseURL(t *testing.T) {
	trusted := auth.Proxies{netip.MustParsePrefix("192.0.2.0/24")}
	for _, c := range []struct {
		proxies                auth.Proxies
		host, proto, fwd, want string
	}{
		{nil, "docs.example.com:8080", "https", "evil.example", "http://docs.example.com:8080"},
		{trusted, "internal:8080", "https", "docs.example.com", "https://docs.example.com"},
		{trusted, "internal:8080", "gopher", "", "http://internal:8080"},
		{trusted, "internal:8080", "https", "a.example, docs.example.com", "https://docs.example.com"},
		{nil, "user@evil.example", "", "", "http://localhost"},
		{nil, "%zz", "", "", "http://localhost"},
	} {
		r := request()
		r.Host = c.host
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if c.fwd != "" {
			r.Header.Set("X-Forwarded-Host", c.fwd)
		}
		if got := c.proxies.BaseURL(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// When a key hashed with an earlier master key is used, it is rehashed with the current one, so that the earlier one
// can be removed.
func TestUsedKeyIsRehashedWithCurrentMasterKey(t *testing.T) {
	ring := &keyRing{byHash: map[string]store.Principal{}}
	secret := ring.add("old", nil)
	if _, err := newGuard(ring).Identify(request("Bearer " + secret)); err != nil {
		t.Fatal(err)
	}
	later := auth.New(auth.Options{Keys: ring, Masters: [][]byte{[]byte("new")}, Now: func() time.Time { return now }})
	if _, err := later.Identify(request("Bearer " + secret)); err != nil {
		t.Fatalf("without the earlier master key: %v", err)
	}
}
