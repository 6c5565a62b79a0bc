package siteapi_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

func TestOwnPageRequiresSameOrigin(t *testing.T) {
	for _, c := range []struct {
		fetch, origin string
		own           bool
	}{
		{"same-origin", "", true},
		{"same-origin", "https://docs.example.com", true},
		{"same-site", "https://docs.example.com", false}, // different port or scheme
		{"cross-site", "https://docs.example.com", false},
		{"none", "https://docs.example.com", false},
		{"", "https://docs.example.com", true}, // from a browser that does not send it
		{"", "https://DOCS.example.com", true},
		{"", "https://evil.example", false},
		{"", "https://docs.example.com.evil.example", false},
		{"", "https://docs.example.com:8443", false},
		{"", "null", false},
		{"", "", false},
		{"", "https://user@evil.example/docs.example.com", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "https://docs.example.com/_lectern/api/request", nil)
		for name, value := range map[string]string{"Sec-Fetch-Site": c.fetch, "Origin": c.origin} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if got := siteapi.OwnPage(r); got != c.own {
			t.Errorf("Sec-Fetch-Site %q, Origin %q: %v", c.fetch, c.origin, got)
		}
	}
}

func TestUnborrowedHostsAreIPsAndLocalhost(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "10.0.0.7": true, "[::1]": true, "::1": true, "localhost": true, "LOCALHOST.": true,
		"docs.localhost": true,
		"":               false, "evil.example": false, "localhost.evil.example": false, "notlocalhost": false,
		"127.0.0.1.evil.example": false, "0x7f000001": false,
	} {
		if got := siteapi.Unborrowed(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestCallerKeyGroupsIPv6ByNetwork(t *testing.T) {
	for a, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3::4": "2001:db8:1:2::/64",
		"2001:db8:1:2::9": "2001:db8:1:2::/64", "2001:db8:1:3::9": "2001:db8:1:3::/64",
	} {
		if got := siteapi.CallerKey(netip.MustParseAddr(a)); got != want {
			t.Errorf("%s: %s", a, got)
		}
	}
}

func TestErrorsRevealNoInternals(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		body   string
		retry  string
	}{
		{fault.New(fault.Invalid, "bad_target", "That is no address.").WithCause(errors.New("secret")), 400,
			"bad_target", ""},
		{fault.New(fault.RateLimited, "rate_limited", "Too many.").WithRetryAfter(1500 * time.Millisecond), 429,
			"rate_limited", "2"},
		{errors.New("secret"), 500, "internal", ""},
	} {
		w := httptest.NewRecorder()
		siteapi.RefuseFault(w, c.err)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) ||
			strings.Contains(w.Body.String(), "secret") ||
			w.Header().Get("Retry-After") != c.retry || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%v: %d %v %s", c.err, w.Code, w.Header(), w.Body)
		}
	}
}
