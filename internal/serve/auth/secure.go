package auth

import "net/http"

// Secure reports whether the caller reached this server over TLS. It follows the rules of BaseURL but does not
// allocate.
func (p Proxies) Secure(r *http.Request) bool {
	if len(p) > 0 && p.trusts(peer(r)) {
		if v := lastOf(r.Header, "X-Forwarded-Proto"); v == "http" || v == "https" {
			return v == "https"
		}
	}
	return r.TLS != nil
}
