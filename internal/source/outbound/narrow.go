package outbound

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Closed returns a copy of the guard for air-gapped servers: it permits only hosts on the operator's list, and
// looks up no other names. A name must itself be on the list, even if its address is.
func (g *Guard) Closed() *Guard {
	out := *g
	out.closed = true
	return &out
}

// Public returns a copy of the guard without the operator's list, for addresses that must not reach the operator's
// network. A closed guard then permits nothing.
func (g *Guard) Public() *Guard { return &Guard{closed: g.closed, resolver: g.resolver} }

// Trusting returns a copy of the guard that also trusts the given destinations, each in the form host:port. Other ports
// of these hosts are not affected.
func (g *Guard) Trusting(places []string) *Guard {
	out := *g
	out.places = map[string]bool{}
	for p := range g.places {
		out.places[p] = true
	}
	for _, p := range places {
		if host, port, err := net.SplitHostPort(p); err == nil {
			out.places[place(host, port)] = true
		}
	}
	return &out
}

// Resolving returns a copy of the guard with another resolver.
func (g *Guard) Resolving(r *net.Resolver) *Guard {
	out := *g
	out.resolver = r
	return &out
}

// AskingAt returns a copy of the guard with the operator's name server, host:port. Even a closed guard uses it to
// query records of domains, because the operator configured it for this purpose.
func (g *Guard) AskingAt(server string) *Guard {
	out := g.Resolving(&net.Resolver{PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, network, server)
		}})
	out.asks = true
	return out
}

// LookupAddresses returns the addresses of exactly this name, including those that may not be connected to; the
// machine's search list is not used. A closed guard queries only hosts that it trusts, unless it has its own name
// server.
func (g *Guard) LookupAddresses(ctx context.Context, name string) ([]netip.Addr, error) {
	name = fold(name)
	if g.closed && !g.asks && !g.hosts[name] || !plainName(name) {
		return nil, g.refuse(name)
	}
	resolver := g.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	list, err := resolver.LookupNetIP(ctx, "ip", name+".")
	if err != nil {
		return nil, fmt.Errorf("look up addresses of %s: %w", name, err)
	}
	for i := range list {
		list[i] = list[i].Unmap()
	}
	return list, nil
}

// LookupTXT returns the TXT records of exactly this name; the machine's search list is not used. A closed guard queries
// only names below hosts that it trusts, unless it has its own name server.
func (g *Guard) LookupTXT(ctx context.Context, name string) ([]string, error) {
	name = fold(name)
	if _, host, _ := strings.Cut(name, "."); g.closed && !g.asks && !g.hosts[host] || !plainName(name) {
		return nil, g.refuse(name)
	}
	resolver := g.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	list, err := resolver.LookupTXT(ctx, name+".")
	if err != nil {
		return nil, fmt.Errorf("look up TXT records of %s: %w", name, err)
	}
	return list, nil
}

// place normalizes a host and a port.
func place(host, port string) string { return net.JoinHostPort(fold(host), port) }

// Public reports whether an address is an ordinary destination on the internet, which a guard permits by default.
func Public(a netip.Addr) bool { return public(a.Unmap()) }
