package auth

import "net/http"

// Secure reports whether the caller reached this server over TLS, by the rules of BaseURL and without the work of
// making an address.
func (p Proxies) Secure(r *http.Request) bool {
	if len(p) > 0 && p.trusts(peer(r)) {
		if v := lastOf(r.Header, "X-Forwarded-Proto"); v == "http" || v == "https" {
			return v == "https"
		}
	}
	return r.TLS != nil
}
