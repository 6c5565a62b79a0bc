package auth

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Proxies are the networks of the reverse proxies whose headers about the caller are trusted. Other clients could
// send forged headers (K5).
type Proxies []netip.Prefix

func (p Proxies) trusts(a netip.Addr) bool {
	return a.IsValid() && slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Caller returns the address of a request's client: the peer of the connection or, if that is a trusted proxy, the
// last address in X-Forwarded-For that is not a trusted proxy. If that entry is not an address, Caller returns the
// zero Addr, which is on no list.
func (p Proxies) Caller(r *http.Request) netip.Addr {
	addr := peer(r)
	if !p.trusts(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if hop = strings.TrimSpace(hop); hop == "" {
			continue
		}
		if addr = parseHop(hop); !p.trusts(addr) {
			return addr
		}
	}
	return addr
}

// BaseURL returns the scheme and host that the caller used to reach this server, without a trailing slash. If the
// host does not form a valid URL, localhost is used instead.
func (p Proxies) BaseURL(r *http.Request) string {
	base, ok := p.Reached(r)
	if !ok {
		scheme, _, _ := strings.Cut(base, "://")
		return scheme + "://localhost"
	}
	return base
}

// Reached is like BaseURL but returns the host unchanged; ok is false if it does not form a valid URL.
func (p Proxies) Reached(r *http.Request) (base string, ok bool) {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if p.trusts(peer(r)) {
		if v := lastOf(r.Header, "X-Forwarded-Proto"); v == "http" || v == "https" {
			scheme = v
		}
		if v := p.ForwardedHost(r); v != "" {
			host = v
		}
	}
	base = scheme + "://" + host
	u, err := url.Parse(base)
	return base, err == nil && u.Host == host && host != "" && u.User == nil
}

// ForwardedHost returns the requested host as reported by a trusted proxy, or "".
func (p Proxies) ForwardedHost(r *http.Request) string {
	if r.Header["X-Forwarded-Host"] == nil || !p.trusts(peer(r)) {
		return ""
	}
	return lastOf(r.Header, "X-Forwarded-Host")
}

// lastOf returns the entry added by the nearest proxy.
func lastOf(h http.Header, name string) string {
	values := h.Values(name)
	if len(values) == 0 {
		return ""
	}
	list := strings.Split(values[len(values)-1], ",")
	return strings.TrimSpace(list[len(list)-1])
}

func peer(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return parseHop(r.RemoteAddr)
	}
	return ap.Addr().Unmap().WithZone("")
}

// parseHop parses an address, with or without a port.
func parseHop(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}
