package auth

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Proxies are the networks of reverse proxies whose word about the caller is believed. Everybody else could write
// anything into the same headers (K5).
type Proxies []netip.Prefix

func (p Proxies) trusts(a netip.Addr) bool {
	return a.IsValid() && slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Caller returns the address a request comes from: that of the connection, or, when a trusted proxy made it, the last
// address in X-Forwarded-For that is not itself a trusted proxy. It is invalid, and on no list, when that entry is no
// address.
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

// BaseURL returns the scheme and host under which the caller reached this server, without a slash at the end. A host
// that makes no URL cannot be what the caller dialled: localhost stands for it.
func (p Proxies) BaseURL(r *http.Request) string {
	base, ok := p.Reached(r)
	if !ok {
		scheme, _, _ := strings.Cut(base, "://")
		return scheme + "://localhost"
	}
	return base
}

// Reached is BaseURL as the request has it; ok is false when its host makes no URL.
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

// ForwardedHost returns the host that a trusted proxy says the caller asked for; "" if none says anything.
func (p Proxies) ForwardedHost(r *http.Request) string {
	if r.Header["X-Forwarded-Host"] == nil || !p.trusts(peer(r)) {
		return ""
	}
	return lastOf(r.Header, "X-Forwarded-Host")
}

// lastOf returns the entry that the nearest proxy added.
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

// parseHop reads an address, with or without a port.
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
