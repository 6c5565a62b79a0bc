package outbound

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// dialTimeout limits one connection attempt, including name lookup.
const dialTimeout = 15 * time.Second

// Guard decides which addresses may be connected to. It is immutable and safe for concurrent use. The zero value
// permits public addresses.
type Guard struct {
	hosts    map[string]bool // trusted names, lower case, without a trailing dot
	prefixes []netip.Prefix  // trusted addresses
	places   map[string]bool // trusted only with this port, as host:port in lower case
	closed   bool            // only trusted destinations are permitted
	resolver *net.Resolver   // nil means the system's
	asks     bool            // the resolver was configured by the operator for domain checks
}

// NewGuard returns a guard that permits public addresses and those in allow: host names, addresses or CIDR ranges
// that the operator trusts. A trusted name is permitted wherever it resolves to.
func NewGuard(allow []string) (*Guard, error) {
	g := &Guard{hosts: map[string]bool{}}
	for _, entry := range allow {
		entry = strings.Trim(strings.TrimSpace(entry), "[]")
		if p, err := netip.ParsePrefix(entry); err == nil {
			g.prefixes = append(g.prefixes, p.Masked())
		} else if a, err := netip.ParseAddr(entry); err == nil {
			a = a.Unmap().WithZone("")
			g.prefixes = append(g.prefixes, netip.PrefixFrom(a, a.BitLen()))
		} else if plainName(entry) && !numeric(entry) {
			g.hosts[fold(entry)] = true
		} else {
			return nil, fmt.Errorf("parse allowed address %q: want a host name, an IP address or a CIDR range", entry)
		}
	}
	return g, nil
}

// Trusts reports whether the operator's list contains host, as a name or as an address.
func (g *Guard) Trusts(host string) bool {
	host = strings.Trim(host, "[]")
	if a, err := netip.ParseAddr(host); err == nil {
		return g.listed(a.Unmap())
	}
	return g.hosts[fold(host)]
}

// DialContext connects to addr over TCP. It checks each address that the name resolved to just before connecting,
// so a name that resolves differently in two lookups cannot bypass the check.
func (g *Guard) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, fmt.Errorf("dial %s: only TCP is allowed", network)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("parse address: %w", err)
	}
	trusted := g.hosts[fold(host)] || g.places[place(host, port)]
	if !trusted && !g.spelling(host) {
		return nil, g.refuse(host)
	}
	dialer := net.Dialer{Timeout: dialTimeout, Resolver: g.resolver,
		Control: func(_, resolved string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(resolved)
			if err != nil || !(trusted || g.permits(to.Addr().Unmap())) {
				return g.refuse(host)
			}
			return nil
		}}
	conn, err := dialer.DialContext(ctx, network, addr)
	if err == nil {
		return conn, nil
	}
	if f, ok := fault.As(err); ok {
		return nil, f
	}
	return nil, fmt.Errorf("connect to %s: %w", host, err)
}

// spelling rejects hosts that could only be a disguised address: numbers in unusual bases and mapped addresses. A
// closed guard rejects untrusted names here, before lookup, because the DNS query itself would leave the server.
func (g *Guard) spelling(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return g.listed(a.Unmap()) || !g.closed && !a.Is4In6() && public(a)
	}
	return !g.closed && plainName(host) && !numeric(host)
}

func (g *Guard) permits(a netip.Addr) bool { return g.listed(a) || !g.closed && public(a) }

func (g *Guard) listed(a netip.Addr) bool {
	a = a.WithZone("")
	for _, p := range g.prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func fold(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// refuse returns the fault for a blocked address. The fault contains the requested host, never the address that it
// resolved to, because otherwise anyone could query the internal name server.
func (g *Guard) refuse(host string) *fault.Error {
	hint := "Private and local addresses are blocked; the operator can allow one with --allow-address."
	if g.closed {
		hint = "This server only connects to hosts that its operator lists; the operator can add one with --allow-address."
	}
	return fault.Newf(fault.Forbidden, "address_not_allowed",
		"This server may not connect to the address of the host %q.", host).WithHint(hint)
}
