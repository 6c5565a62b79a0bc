package siteaccess_test

import (
	"crypto/rand"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

// key stores a key of an organization and returns it.
func (r *rig) key(organizationID string, change func(*account.Key)) (secret string, k account.Key) {
	r.t.Helper()
	secret = account.NewSecret(rand.Reader)
	k = account.Key{OrganizationID: organizationID, Prefix: account.Visible(secret),
		Hash: account.NewHasher(master).Hash(secret), Scopes: []account.Scope{account.ScopeDiscovery}}
	if change != nil {
		change(&k)
	}
	r.tx(func(tx *store.Tx) (err error) { k, err = tx.CreateKey(r.t.Context(), k); return err })
	return secret, k
}

// Programs read a protected site with a key from its organization that has the scope discovery; the key is not
// forwarded.
func TestProgramsCanReadWithKey(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Organization)
	var elsewhere account.Organization
	r.tx(func(tx *store.Tx) (err error) {
		elsewhere, err = tx.CreateOrganization(t.Context(), "Elsewhere", account.PlanFree)
		return err
	})
	good, k := r.key(r.Organization.ID, nil)
	full, _ := r.key(r.Organization.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeRead} })
	get := func(secret, path string) answer {
		return r.browser().do(http.MethodGet, "https://"+host+path, "", "Authorization", "Bearer "+secret, "Accept", "*/*")
	}
	for _, path := range []string{"/", "/index.md", "/llms.txt", "/_lectern/search/index.js"} {
		for _, secret := range []string{good, full} {
			a := get(secret, path)
			if a.StatusCode != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.StatusCode, a.text)
			}
			wantPrivate(t, path, a)
		}
	}
	a := r.browser().do(http.MethodPost, "https://"+host+"/_lectern/api/request", "{}", "Authorization", "Bearer "+good)
	if a.text != canary+" " || r.reader.Subject != k.ID || r.reader.Anonymous {
		t.Errorf("%q, %+v", a.text, r.reader)
	}
	writes, _ := r.key(r.Organization.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeWrite} })
	theirs, _ := r.key(elsewhere.ID, nil)
	bound, _ := r.key(r.Organization.ID,
		func(k *account.Key) { k.Addresses = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")} })
	gone, revoked := r.key(r.Organization.ID, nil)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.RevokeKey(t.Context(), r.Organization.ID, revoked.ID, false)
		return err
	})
	for name, c := range map[string]struct {
		secret string
		status int
	}{"scope": {writes, 403}, "organization": {theirs, 401}, "address": {bound, 403}, "revoked": {gone, 401},
		"unknown": {account.NewSecret(rand.Reader), 401}, "another token": {"abc", 401}} {
		if a := get(c.secret, "/"); a.StatusCode != c.status || strings.Contains(a.text, canary) {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.text)
		}
	}
}

// A token for another server, sent by one of the site's pages, does not hide the reader's session.
func TestTokensForOtherServersAreIgnored(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Password)
	b := r.browser()
	b.signIn(host, goodPassword, "/")
	a := b.do(http.MethodPost, "https://"+host+"/_lectern/api/request", "{}", "Authorization", "Bearer sk_test_1")
	if a.text != canary+" Bearer sk_test_1" {
		t.Errorf("%d %s", a.StatusCode, a.text)
	}
}
