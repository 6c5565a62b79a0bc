package oidc

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// endless writes until the client disconnects.
func endless(w http.ResponseWriter, _ *http.Request) {
	for {
		if _, err := w.Write([]byte(strings.Repeat(" ", 64<<10))); err != nil {
			return
		}
	}
}

// circle redirects to the requested URL itself.
func circle(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Path, http.StatusFound)
}

func TestMismatchedDiscoveryDocumentIsRefused(t *testing.T) {
	set := func(name string, value any) func(*idp) {
		return func(p *idp) { p.describe = func(doc object) { doc[name] = value } }
	}
	handle := func(h http.HandlerFunc) func(*idp) { return func(p *idp) { p.instead[wellKnown] = h } }
	for name, c := range map[string]struct {
		lie         func(*idp)
		code, cause string
	}{
		"issuer of another": {set("issuer", "https://other.example.com"), "oidc_misconfigured", "did not match"},
		"issuer and a slash": {func(p *idp) { p.describe = func(d object) { d["issuer"] = p.URL + "/" } },
			"oidc_misconfigured", "did not match"},
		"address is a script": {set("authorization_endpoint", "javascript:alert(1)"), "oidc_misconfigured",
			"authorization_endpoint"},
		"address with a user": {set("authorization_endpoint", "https://a:b@example.com/"), "oidc_misconfigured",
			"authorization_endpoint"},
		"no address for tokens": {set("token_endpoint", ""), "oidc_misconfigured", "token_endpoint"},
		"no keys":               {set("jwks_uri", nil), "oidc_misconfigured", "jwks_uri"},
		"keys in a file":        {set("jwks_uri", "file:///etc/keys"), "oidc_misconfigured", "jwks_uri"},
		"userinfo is a path":    {set("userinfo_endpoint", "/userinfo"), "oidc_misconfigured", "userinfo_endpoint"},
		"address is a number":   {set("token_endpoint", 7), "oidc_misconfigured", "decode"},
		"nothing there":         {handle(http.NotFound), "oidc_misconfigured", "404"},
		"a page": {handle(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>"))
		}), "oidc_misconfigured", "decode"},
		"endless": {handle(endless), "oidc_unavailable", "larger"},
		"not now": {handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }),
			"oidc_unavailable", "502"},
		"too often": {handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }),
			"oidc_unavailable", "429"},
		"hangs up": {handle(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
			"oidc_unavailable", "EOF"},
		"redirects in a circle": {handle(circle), "oidc_misconfigured", "redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openIDP(t)
			c.lie(p)
			wantFault(t, begin(t, New(p.options())), c.code, c.cause)
			if p.requests(wellKnown) > 1+idpfault.MaxHops {
				t.Errorf("%d requests", p.requests(wellKnown))
			}
		})
	}
}

// Redirects to other origins are not followed, neither for discovery nor, above all, for a request with the client's
// secret or a person's token.
func TestRedirectToAnotherOriginIsNotFollowed(t *testing.T) {
	for _, path := range []string{wellKnown, "/token", "/keys", "/userinfo"} {
		for _, status := range []int{302, 303, 307, 308} {
			p, other := openIDP(t), openIDP(t)
			p.claim = func(c object) { delete(c, "groups") }
			p.instead[path] = func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other.URL+r.URL.Path, status)
			}
			_, err := finish(t, New(p.options()))
			wantFault(t, err, "oidc_misconfigured", "redirects")
			if n := other.requests(path); n != 0 {
				t.Errorf("%s followed %d to another origin", path, status)
			}
		}
	}
}

func TestRedirectWithinProviderIsFollowedWithoutSecret(t *testing.T) {
	p := openIDP(t)
	moved := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "" {
			http.Redirect(w, r, r.URL.Path+"?moved", http.StatusTemporaryRedirect)
			return
		}
		plain := &idp{Server: p.Server, asked: map[string]int{}}
		plain.ServeHTTP(w, r)
	}
	p.instead[wellKnown] = moved
	provider := New(p.options())
	if err := begin(t, provider); err != nil {
		t.Fatal(err)
	}
	p.instead["/token"] = moved
	_, err := finish(t, provider)
	wantFault(t, err, "oidc_misconfigured", "redirects")
	if n := p.requests("/token"); n != 1 {
		t.Errorf("the secret was sent %d times", n)
	}
}

func TestHTTPSProviderCannotUsePlainHTTP(t *testing.T) {
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		p := &idp{key: newKey(t), kid: "first", alg: "ES256", asked: map[string]int{}}
		p.Server = httptest.NewTLSServer(p)
		t.Cleanup(p.Close)
		if err := begin(t, New(p.options())); err != nil {
			t.Fatal(err)
		}
		p.describe = func(doc object) { doc[name] = strings.Replace(doc[name].(string), "https:", "http:", 1) }
		wantFault(t, begin(t, New(p.options())), "oidc_misconfigured", name+" is not https")
	}
}

// An unavailable provider does not stop the server, and is retried at the next sign-in.
func TestUnavailableProviderIsRetried(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "idp")
	p := &idp{key: newKey(t), kid: "first", alg: "ES256", asked: map[string]int{}}
	p.Server = httptest.NewUnstartedServer(p)
	if err := p.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	p.URL = "http://localhost:9"
	var dialer net.Dialer
	opt := p.options()
	opt.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", socket)
		}}}
	provider := New(opt)
	for range 2 {
		wantFault(t, begin(t, provider), "oidc_unavailable", "discover http://localhost:9")
	}
	_, err := finish(t, provider)
	wantFault(t, err, "oidc_unavailable", "dial")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	p.Listener = listener
	server := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	if err := begin(t, provider); err != nil {
		t.Errorf("with the provider up: %v", err)
	}
	if who, err := finish(t, provider); err != nil || who.Subject != "person-1" {
		t.Errorf("with the provider up: %+v, %v", who, err)
	}
	_ = server.Close() // down again: its configuration is still cached, everything else is not
	if err := begin(t, provider); err != nil {
		t.Errorf("with a cached configuration: %v", err)
	}
	_, err = finish(t, provider)
	wantFault(t, err, "oidc_unavailable", "exchange code")
}

func TestDiscoveryDocumentIsCachedForADay(t *testing.T) {
	p := openIDP(t)
	now, opt := noon, p.options()
	opt.Now = func() time.Time { return now }
	provider := New(opt)
	if n := p.requests(wellKnown); n != 0 {
		t.Fatalf("New made %d requests", n)
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := begin(t, provider); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, c := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {discoveryLife - 1, 1}, {discoveryLife, 2}, {discoveryLife + time.Hour, 2}} {
		now = noon.Add(c.later)
		if err := begin(t, provider); err != nil || p.requests(wellKnown) != c.want {
			t.Errorf("after %s: %d requests, %v", c.later, p.requests(wellKnown), err)
		}
	}
}
