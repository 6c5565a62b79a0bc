package domainproof

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// Target states where a domain points.
type Target string

// The targets.
const (
	Here      Target = "here"      // all its addresses are the server's
	Elsewhere Target = "elsewhere" // some are not, which is correct if a proxy is in front of the server
	Missing   Target = "missing"   // the domain has no address
	Unknown   Target = "unknown"   // the server does not know its own name, or may not look up names
)

// Location describes where a domain points and which records point it to the server.
type Location struct {
	Target    Target
	Addresses []netip.Addr // the domain's addresses that are the server's or public; others would reveal the internal network
	Records   []Record     // empty if unknown
}

// Record is a DNS record to set.
type Record struct{ Type, Name, Value string }

const maxLocate = 5 * time.Second

// Locate looks up where a domain points. own is the server's public host, a name or an address; "" = unknown.
func (c *Checker) Locate(ctx context.Context, domain, own string) Location {
	if own == "" || strings.HasSuffix(domain, ".localhost") || strings.HasSuffix("."+own, ".localhost") {
		return Location{Target: Unknown}
	}
	ctx, cancel := context.WithTimeout(ctx, maxLocate)
	defer cancel()
	ours, err := c.addresses(ctx, own)
	if err != nil {
		return Location{Target: Unknown, Records: records(domain, own, nil)}
	}
	l := Location{Target: Here, Records: records(domain, own, ours)}
	found, err := c.addresses(ctx, domain)
	switch {
	case err != nil || len(ours) == 0:
		l.Target = Unknown
	case len(found) == 0:
		l.Target = Missing
	}
	for _, a := range found {
		known := slices.Contains(ours, a)
		if !known && l.Target == Here {
			l.Target = Elsewhere
		}
		if known || outbound.Public(a) {
			l.Addresses = append(l.Addresses, a)
		}
	}
	return l
}

// addresses returns the addresses of a host, sorted; none if the name does not exist.
func (c *Checker) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	list, err := c.guard.LookupAddresses(ctx, host)
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return nil, nil
	}
	slices.SortFunc(list, netip.Addr.Compare)
	return slices.Compact(list), err
}

// records returns the records that point a domain to the server. A registered name cannot be an alias, because it
// has other records, which exclude an alias.
func records(domain, own string, addresses []netip.Addr) []Record {
	_, err := netip.ParseAddr(own)
	if err != nil && !project.IsRegistered(domain) {
		return []Record{{"CNAME", domain, own}}
	}
	var out []Record
	for _, a := range addresses {
		kind := "AAAA"
		if a.Is4() {
			kind = "A"
		}
		out = append(out, Record{kind, domain, a.String()})
	}
	return out
}
