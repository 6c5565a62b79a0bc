package auth_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

func member(role account.Role) store.Principal {
	return store.Principal{Member: account.Member{ID: "mem_a", Role: role},
		Organization: account.Organization{ID: "org_a"}}
}

// A member's request is identified only by the caller function, which is called each time; a key in the request is
// ignored.
func TestCallerIsResolvedOnEveryRequest(t *testing.T) {
	k := &keyRing{byHash: map[string]store.Principal{}}
	g, asked, fails := newGuard(k), 0, error(nil)
	r := request("Bearer " + k.add("new", nil))
	r = r.WithContext(auth.WithCaller(r.Context(),
		func(context.Context) (store.Principal, error) { asked++; return member(account.RoleViewer), fails }))
	for range 2 {
		if p, err := g.Identify(r); err != nil || !p.ByMember() || p.Actor() != "mem_a" {
			t.Errorf("%+v %v", p, err)
		}
	}
	fails = fault.New(fault.Unauthenticated, "session_ended", "Your session has ended.")
	if _, err := g.Identify(r); !fault.HasCode(err, "session_ended") {
		t.Errorf("%v", err)
	}
	fails = errors.New("database away")
	if _, err := g.Identify(r); !errors.Is(err, fails) || fault.Is(err, fault.Unauthenticated) {
		t.Errorf("%v", err)
	}
	if asked != 4 || k.queries != 0 {
		t.Errorf("%d calls, %d queries for keys", asked, k.queries)
	}
}

// Members are authorized only by role: exactly those with the required role or a higher one are allowed, and no
// member may call an operation without a role.
func TestMembersAreAuthorizedByRole(t *testing.T) {
	g := newGuard(&keyRing{})
	for i, has := range account.Roles() {
		for j, need := range account.Roles() {
			err := g.Permit(member(has), request(), auth.Need{Scope: account.ScopeWrite, Role: need})
			if allowed := i <= j; allowed != (err == nil) || !allowed && (!fault.HasCode(err, "role_required") ||
				!strings.Contains(err.Error(), string(need)) || !strings.Contains(err.Error(), string(has))) {
				t.Errorf("a %s where %s is needed: %v", has, need, err)
			}
		}
	}
	for name, p := range map[string]store.Principal{"no such role": member("king"), "empty": member("")} {
		if err := g.Permit(p, request(), auth.Need{Role: account.RoleViewer}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := g.Permit(member(account.RoleOwner), request(), auth.Need{Scope: account.ScopeRead}); !fault.Is(err,
		fault.Forbidden) {
		t.Errorf("operation without a role: %v", err)
	}
}

// An API key is authorized by its scopes and allowed addresses. The role that an operation requires applies only to
// members.
func TestKeysAreNotAuthorizedByRole(t *testing.T) {
	g := newGuard(&keyRing{})
	p := store.Principal{Key: account.Key{ID: "key_a", Scopes: []account.Scope{account.ScopeRead}}}
	if err := g.Permit(p, request(), auth.Need{Scope: account.ScopeRead, Role: account.RoleOwner}); err != nil {
		t.Error(err)
	}
	p.Key.Addresses = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
	if err := g.Permit(p, request(), auth.Need{Scope: account.ScopeRead, Role: account.RoleViewer}); !fault.HasCode(err,
		"address_not_allowed") {
		t.Error(err)
	}
}
