package auth_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// K5: Secure agrees with the scheme that BaseURL returns for the same request.
func TestSecureAgreesWithBaseURL(t *testing.T) {
	trusted := auth.Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	for _, proxies := range []auth.Proxies{nil, trusted} {
		for _, peer := range []string{"10.1.2.3:4", "192.0.2.1:4", "[::ffff:10.1.2.3]:4", "nobody"} {
			for _, word := range []string{"", "https", "http", "ftp", "http, https", "https, http"} {
				for _, direct := range []bool{false, true} {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://docs.example.com/", nil)
					if r.RemoteAddr = peer; direct {
						r.TLS = &tls.ConnectionState{}
					}
					if word != "" {
						r.Header.Set("X-Forwarded-Proto", word)
					}
					if got, want := proxies.Secure(r), strings.HasPrefix(proxies.BaseURL(r), "https://"); got != want {
						t.Errorf("trusted %v, peer %s, proto %q, direct %v: %v, BaseURL says %v", proxies, peer, word,
							direct, got, want)
					}
				}
			}
		}
	}
}
