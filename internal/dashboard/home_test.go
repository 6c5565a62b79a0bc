package dashboard_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// C4: the dashboard is available only on hosts that can never have a site. On any other name that points here,
// including one under a stranger's control, there is neither a session nor a form.
func TestDashboardAnswersOnItsOwnHostsOnly(t *testing.T) {
	r := newRig(t, func(p *parts) { p.Dashboard.PublicURL = "https://Lectern.Example.com/" })
	for host, home := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST": true, "localhost.": true,
		"127.0.0.1": true, "127.0.0.1:8080": true, "192.0.2.7:80": true, "[::1]:8080": true, "[2001:db8::1]": true,
		"lectern.example.com": true, "LECTERN.example.com:443": true, "lectern.example.com.": true,
		"docs.a.example": false, "evil.example": false, "a.lectern.example.com": false, "xlectern.example.com": false,
		"lectern.example.com.evil.example": false,
		"127.0.0.1.evil.example":           false, "localhost.evil.example": false, "docs.localhost": false,
		"2130706433": false, "0x7f.1": false, "dep-abc.preview.localhost": false,
		// invalid addresses, which could belong to anybody
		"evil.example:x": false, "evil%2eexample": false, "[evil.example": false,
	} {
		got := r.send("owner", http.MethodGet, "/dashboard/", nil, func(q *http.Request) { q.Host = host })
		if want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[home]; got.status != want {
			t.Errorf("%s: %d, want %d", host, got.status, want)
		}
		if home {
			continue
		}
		for _, never := range []string{"owner@example.com", "docs.a.example:8080",
			"<form method=\"post\" action=\"/dashboard/sign-out\"", "csrf"} {
			if strings.Contains(got.body, never) {
				t.Errorf("%s reveals %q", host, never)
			}
		}
		if !strings.Contains(got.body, `href="https://Lectern.Example.com/"`) {
			t.Errorf("%s does not say where the dashboard is: %s", host, got.body)
		}
	}
}

// Over plain HTTP, people can sign in only on the server's own machine, under any form of its name.
func TestSignInAcceptsEveryLoopbackName(t *testing.T) {
	r := newRig(t, func(p *parts) { p.Dashboard.PublicURL = "http://lectern.example.com" })
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST": 200, "LocalHost.": 200, "LOCALHOST.:8080": 200, "127.0.0.1:8080": 200,
		"127.0.0.2": 200, "[::1]": 200, "[::1]:8080": 200,
		"[::FFFF:127.0.0.1]:80": 200, "lectern.example.com": 403, "LECTERN.EXAMPLE.COM.": 403, "192.0.2.7": 403,
		"[2001:db8::1]:80": 403,
	} {
		if got := r.send("", http.MethodGet, "/dashboard/sign-in", nil,
			func(q *http.Request) { q.Host = host }); got.status != want {
			t.Errorf("%s: %d, want %d", host, got.status, want)
		}
	}
}

// Forms sent to a foreign host have no effect.
func TestFormsOnForeignHostsAreRefused(t *testing.T) {
	r := newRig(t)
	before := len(r.auditEvents(r.a.org.ID))
	form := r.form("owner")
	got := r.send("owner", http.MethodPost, "/dashboard/projects/"+r.a.project.ID+"/update", form,
		func(q *http.Request) { q.Host = "docs.a.example" })
	if got.status != http.StatusNotFound || len(r.auditEvents(r.a.org.ID)) != before {
		t.Errorf("%d, %d records after %d", got.status, len(r.auditEvents(r.a.org.ID)), before)
	}
	// The page there can use only the style sheet.
	if got := r.send("", http.MethodGet, "/dashboard/files/dashboard.css", nil,
		func(q *http.Request) { q.Host = "docs.a.example" }); got.status != http.StatusOK {
		t.Error(got.status)
	}
	// Without a public address, the page says how to set one.
	if got := r.send("owner", http.MethodGet, "/dashboard/", nil,
		func(q *http.Request) { q.Host = "evil.example" }); !strings.Contains(got.body, "public-url") {
		t.Error(got.body)
	}
}

// A forwarded host is accepted only from a trusted proxy.
func TestForwardedHostIsTrustedFromTrustedProxiesOnly(t *testing.T) {
	forward := func(host string) func(*http.Request) {
		return func(q *http.Request) {
			q.Host, q.Header = "evil.example", http.Header{"X-Forwarded-Host": {host}, "Cookie": q.Header["Cookie"]}
		}
	}
	r := newRig(t)
	if got := r.send("owner", http.MethodGet, "/dashboard/", nil,
		forward("localhost")); got.status != http.StatusNotFound {
		t.Errorf("a forwarded host is accepted from anybody: %d", got.status)
	}
	proxied := newRig(t, func(p *parts) {
		p.Dashboard.Proxies = auth.Proxies{netip.MustParsePrefix("127.0.0.0/8")}
		p.SignIn.Proxies, p.API.Proxies = p.Dashboard.Proxies, p.Dashboard.Proxies
	})
	if got := proxied.send("owner", http.MethodGet, "/dashboard/", nil,
		forward("localhost")); got.status != http.StatusOK {
		t.Errorf("a forwarded host is not accepted from the proxy: %d", got.status)
	}
	if got := proxied.send("owner", http.MethodGet, "/dashboard/", nil, func(q *http.Request) {
		q.Header.Set("X-Forwarded-Host", "docs.a.example")
	}); got.status != http.StatusNotFound {
		t.Errorf("a site's host through the proxy: %d", got.status)
	}
}

// C5: response headers ensure that content from other origins cannot run in pages, frame them or read them.
func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/dashboard/", "/dashboard/nothing", "/dashboard/files/dashboard.css",
		"/dashboard/files/no.css", "/dashboard/sign-in", "/"} {
		h := r.send("owner", http.MethodGet, path, nil).header
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
			"form-action 'self'", "base-uri 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: no %s in %q", path, want, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Cross-Origin-Opener-Policy") != "same-origin" || h.Get("Cache-Control") == "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}
