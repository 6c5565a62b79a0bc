package adminapi_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

func (a ask) by(r adminapi.Route, key string) ask {
	a.method, a.key = r.Method, key
	return a
}

func TestEveryRouteHasASample(t *testing.T) {
	names := map[string]bool{}
	for _, r := range adminapi.Routes() {
		names[r.OperationID] = true
		if _, ok := samples[r.OperationID]; !ok {
			t.Errorf("%s has no sample: add one, so that the scenarios below cover it", r.OperationID)
		}
	}
	for name := range samples {
		if !names[name] {
			t.Errorf("no route has the operation of sample %s", name)
		}
	}
}

// badKeys returns each kind of invalid or insufficient key, with the expected status.
func badKeys(t *testing.T, w *world, x tenant, r adminapi.Route) map[string]struct {
	key    string
	status int
	says   string
} {
	now := w.clock.Now()
	others := slices.DeleteFunc(account.Scopes(), func(s account.Scope) bool { // reading includes discovery
		return s == r.Scope || s == account.ScopeRead && r.Scope == account.ScopeDiscovery
	})
	revoked, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.RevokedAt = &now })
	expired, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.ExpiresAt = &now })
	scope, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = others })
	address, _ := w.newKey(t, x.org.ID,
		func(k *account.Key) { k.Addresses = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")} })
	last := x.key[len(x.key)-1]
	return map[string]struct {
		key    string
		status int
		says   string
	}{
		"no key":        {"", 401, "missing_key"},
		"bad checksum":  {x.key[:len(x.key)-1] + string(rune('0'+(last-'0'+1)%10)), 401, "invalid_key"},
		"unknown key":   {account.NewSecret(rand.Reader), 401, "invalid_key"},
		"revoked key":   {revoked, 401, "invalid_key"},
		"expired key":   {expired, 401, "invalid_key"},
		"wrong scope":   {scope, 403, "the scope " + string(r.Scope)},
		"wrong address": {address, 403, "address_not_allowed"},
	}
}

// K3, K4, K5, A8: every route × every wrong key, and the right one; nothing about another organization is revealed.
func TestEveryRouteIsGuarded(t *testing.T) {
	for _, r := range adminapi.Routes() {
		t.Run(r.OperationID, func(t *testing.T) {
			s := samples[r.OperationID]
			w, of := newWorldWith(t, nil, home{"owner", account.PlanEnterprise}, home{"stranger", account.PlanEnterprise},
				home{"poor", account.PlanPro})
			x, stranger, poor := of[0], of[1], of[2]
			if r.Scope == "" {
				w.do(t, s.ask(x).by(r, "")).want(t, s.ok)
				if s.hidden {
					w.do(t, s.ask(nobody(w)).by(r, "")).want(t, 404)
				}
				return
			}
			for name, bad := range badKeys(t, w, x, r) {
				got := w.do(t, s.ask(x).by(r, bad.key))
				if got.status != bad.status || !strings.Contains(string(got.body), bad.says) {
					t.Errorf("%s: %d %s", name, got.status, got.body)
				}
			}
			checkPlan(t, w, r, s, poor)
			checkForeign(t, w, r, s, x, stranger)
			w.do(t, s.ask(x).by(r, x.key)).want(t, s.ok)
		})
	}
}

func checkPlan(t *testing.T, w *world, r adminapi.Route, s sample, poor tenant) {
	t.Helper()
	got := w.do(t, s.ask(poor).by(r, poor.key))
	if r.Plan == "" {
		got.want(t, s.ok)
	} else if got.want(t, 403).code(t) != "plan_required" || !strings.Contains(string(got.body), string(r.Plan)) {
		t.Errorf("plan missing: %s", got.body)
	}
}

// checkForeign compares the responses that a stranger gets for the owner's resources with those for resources that do
// not exist.
func checkForeign(t *testing.T, w *world, r adminapi.Route, s sample, owner, stranger tenant) {
	t.Helper()
	got := w.do(t, s.ask(owner).by(r, stranger.key))
	if !s.hidden {
		for _, secret := range []string{owner.project.ID, owner.project.Domains[0], owner.queued.ID, owner.keyID} {
			if strings.Contains(string(got.body), secret) {
				t.Errorf("a stranger sees %s", secret)
			}
		}
		return
	}
	unknown := w.do(t, s.ask(nobody(w)).by(r, stranger.key))
	if got.want(t, 404).alike(t) != unknown.want(t, 404).alike(t) {
		t.Errorf("foreign: %s, unknown: %s", got.body, unknown.body)
	}
	if odd := w.do(t, ask{path: oddIDs(r.Pattern), body: s.ask(owner).body}.by(r,
		stranger.key)); strings.Contains(r.Pattern, "{") && odd.alike(t) != unknown.alike(t) {
		t.Errorf("odd ids: %s, unknown: %s", odd.body, unknown.body)
	}
}

// oddIDs fills a pattern with ids that must never reach the database.
func oddIDs(pattern string) string {
	out := pattern
	for strings.Contains(out, "{") {
		a, b := strings.Index(out, "{"), strings.Index(out, "}")
		out = out[:a] + "%00%ff%2F.." + out[b+1:]
	}
	return out
}

// The order of checks: the more fundamental problem is reported first.
func TestChecksRunInDocumentedOrder(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	free := w.newTenant(t, "b", account.PlanFree)
	readOnly, _ := w.newKey(t, free.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeRead} })
	bad := strings.Repeat(" ", 2<<20)
	plain := map[string]string{"Content-Type": "text/plain"}
	at := "/v1/static-export/jobs"
	for i, c := range []struct {
		ask  ask
		want int
	}{
		{ask{http.MethodPut, at, "", bad, plain}, 405},
		{ask{http.MethodPost, at, "", bad, plain}, 401},
		{ask{http.MethodPost, at, readOnly, bad, plain}, 403},
		{ask{http.MethodPost, at, free.key, bad, plain}, 403},
		{ask{http.MethodPost, at, x.key, bad, plain}, 415},
		{ask{http.MethodPost, at, x.key, bad, nil}, 413},
		{ask{http.MethodPost, at, x.key, `{"domain":1}`, nil}, 400},
		{ask{http.MethodPost, at, x.key, `{"domain":"docs.other.example"}`, nil}, 404},
	} {
		if got := w.do(t, c.ask); got.status != c.want {
			t.Errorf("case %d: %d, want %d: %s", i, got.status, c.want, got.body)
		}
	}
}

// K6: a revoked key is refused from the next request on, even by another server with the same store.
func TestRevocationTakesEffectAtOnceOnEveryServer(t *testing.T) {
	var shared adminapi.Options
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { shared = *o })
	other := *w
	other.server = serve(t, adminapi.New(shared))
	key, keyID := w.newKey(t, x.org.ID, nil)
	other.do(t, ask{"GET", "/v1/deployment", key, "", nil}).want(t, 200)
	w.do(t, ask{"DELETE", "/v1/keys/" + keyID, x.key, "", nil}).want(t, 204)
	other.do(t, ask{"GET", "/v1/deployment", key, "", nil}).want(t, 401)
	w.do(t, ask{"DELETE", "/v1/keys/" + keyID, x.key, "", nil}).want(t, 204)
}

// K5: a spoofed header has no effect; a trusted proxy's header does.
func TestAddressListsBehindProxies(t *testing.T) {
	for name, c := range map[string]struct {
		trusted string
		want    int
	}{"untrusted": {"198.51.100.0/24", 403}, "trusted": {"127.0.0.0/8", 200}} {
		t.Run(name, func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
				o.Proxies = []netip.Prefix{netip.MustParsePrefix(c.trusted)}
			})
			key, _ := w.newKey(t, x.org.ID,
				func(k *account.Key) { k.Addresses = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")} })
			w.do(t, ask{"GET", "/v1/deployment", key, "", map[string]string{"X-Forwarded-For": "203.0.113.9"}}).
				want(t, c.want)
			w.do(t, ask{"GET", "/v1/deployment", key, "",
				map[string]string{"X-Forwarded-For": "203.0.113.9, 192.0.2.1"}}).want(t, 403)
		})
	}
}

// K3: a key stops working exactly at its expiry.
func TestExpiryIsExact(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := w.clock.Now().Truncate(time.Microsecond).Add(time.Hour)
	key, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.ExpiresAt = &at })
	w.clock.Advance(time.Hour - time.Second)
	w.do(t, ask{"GET", "/v1/deployment", key, "", nil}).want(t, 200)
	w.clock.Advance(time.Second)
	w.do(t, ask{"GET", "/v1/deployment", key, "", nil}).want(t, 401)
}

// K3: malformed, unknown, expired and revoked keys get the same status, headers and body, and a missing key gets a
// response in the same format. Even with two master keys, the last three cost only one query each.
func TestEveryInvalidKeyGetsSameResponse(t *testing.T) {
	var keys *counting
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		keys = &counting{Store: o.Store}
		o.Keys, o.Masters = keys, append(o.Masters, []byte(strings.Repeat("o", 32)))
	})
	now := w.clock.Now()
	revoked, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.RevokedAt = &now })
	expired, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.ExpiresAt = &now })
	unknown := account.NewSecret(rand.Reader)
	shape := func(r reply) string {
		h := r.header.Clone()
		h.Del("X-Request-Id")
		h.Del("Date")
		return fmt.Sprint(r.status, h, r.alike(t))
	}
	read := func(key string) reply { return w.do(t, ask{"GET", "/v1/projects", key, "", nil}) }
	want := shape(read(unknown))
	for name, c := range map[string]struct {
		key     string
		queries int
	}{"malformed": {"lectern_" + strings.Repeat("x", 38), 0}, "not a key": {"x", 0}, "unknown": {unknown, 1},
		"expired": {expired, 1}, "revoked": {revoked, 1}} {
		keys.n = 0
		if got := shape(read(c.key)); got != want || keys.n != c.queries {
			t.Errorf("%s: %s after %d queries, want %s after %d", name, got, keys.n, want, c.queries)
		}
	}
	missing := read("").want(t, 401)
	if got := missing.object(t); missing.header.Get("WWW-Authenticate") != "Bearer" || got["code"] != "missing_key" ||
		len(got) != len(read(unknown).object(t)) {
		t.Errorf("missing: %v %v", missing.header, got)
	}
}
