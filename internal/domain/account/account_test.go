package account_test

import (
	"crypto/rand"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// K1: secrets have the prefix, at least 160 random bits and a checksum, and no two are equal.
func TestSecretsHaveDocumentedFormat(t *testing.T) {
	shape := regexp.MustCompile(`^lectern_[0-9A-Za-z]{38}$`)
	n := tier.Choose(100_000, 1_000_000)
	seen := make(map[string]bool, n)
	for range n {
		s := account.NewSecret(rand.Reader)
		if !shape.MatchString(s) || !account.WellFormed(s) || seen[s] {
			t.Fatalf("bad or repeated secret %q", s)
		}
		seen[s] = true
	}
}

// K1: the checksum alone detects any single altered character.
func TestOneAlteredCharacterIsRefused(t *testing.T) {
	s := account.NewSecret(rand.Reader)
	for i := range s {
		for _, c := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-" {
			if altered := s[:i] + string(c) + s[i+1:]; altered != s && account.WellFormed(altered) {
				t.Errorf("%q passes with character %d altered to %q", s, i, c)
			}
		}
	}
	for _, bad := range []string{"", "lectern_", s + "a", s[1:], strings.ToUpper(s)} {
		if account.WellFormed(bad) {
			t.Errorf("%q passes", bad)
		}
	}
}

// K2: the stored hash contains no part of the secret, and differs between servers.
func TestHashesAreKeyed(t *testing.T) {
	s := account.NewSecret(rand.Reader)
	a, b := account.NewHasher([]byte("one")).Hash(s), account.NewHasher([]byte("two")).Hash(s)
	if a == b || strings.Contains(a, s[8:20]) || len(a) != 64 {
		t.Fatalf("hashes %q and %q", a, b)
	}
}

// K5: keys are restricted by expiry, revocation and addresses.
func TestKeysAreRestrictedByExpiryRevocationAndAddress(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	days := 7
	k, err := account.NewKey("org_x", account.Request{ExpiresInDays: &days,
		Addresses: []string{"203.0.113.0/24", "2001:db8::1"}, Scopes: []string{"read"}}, now)
	if err != nil {
		t.Fatal(err)
	}
	if !k.Live(now.AddDate(0, 0, 7).Add(-time.Second)) || k.Live(now.AddDate(0, 0, 7)) {
		t.Error("the expiry is not exactly seven days away")
	}
	if !k.May(account.ScopeRead) || k.May(account.ScopeWrite) {
		t.Error("the scopes are wrong")
	}
	for addr, want := range map[string]bool{"203.0.113.9": true, "::ffff:203.0.113.9": true, "203.0.114.1": false,
		"2001:db8::1": true, "2001:db8::2": false} {
		if got := k.AllowsAddress(netip.MustParseAddr(addr)); got != want {
			t.Errorf("AllowsAddress(%s) = %v", addr, got)
		}
	}
}

func TestInvalidKeyRequestNamesTheField(t *testing.T) {
	three := 3
	for field, r := range map[string]account.Request{
		"label":         {Label: strings.Repeat("x", 101)},
		"scopes":        {Scopes: []string{"root"}},
		"expiresInDays": {ExpiresInDays: &three},
		"addresses":     {Addresses: []string{"0.0.0.0/0"}},
	} {
		_, err := account.NewKey("org_x", r, time.Now())
		if f, ok := fault.As(err); !ok || f.Kind != fault.Invalid || f.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	for _, bad := range []string{"::/0", "::ffff:0.0.0.0/96", "example.com", "1.2.3"} {
		if _, err := account.NewKey("org_x", account.Request{Addresses: []string{bad}}, time.Now()); err == nil {
			t.Errorf("address %q accepted", bad)
		}
	}
}

func TestParsePlanAcceptsThreePlans(t *testing.T) {
	for _, want := range []account.Plan{account.PlanFree, account.PlanPro, account.PlanEnterprise} {
		if p, err := account.ParsePlan(strings.ToUpper(string(want))); p != want || err != nil {
			t.Errorf("%s: %q %v", want, p, err)
		}
	}
	if _, err := account.ParsePlan("gold"); !fault.Is(err, fault.Invalid) {
		t.Errorf("unknown plan: %v", err)
	}
}
