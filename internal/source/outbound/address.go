package outbound

import (
	"net/netip"
	"strings"
)

// special lists all ranges that are not ordinary public destinations, according to the special-purpose address
// registries of IPv4 and IPv6. Ranges that embed an IPv4 address are blocked completely: documentation is not served
// through them, and each of them provides another notation for addresses that the IPv4 entries block.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network; 0.0.0.0 reaches the local host
	netip.MustParsePrefix("10.0.0.0/8"),      // private
	netip.MustParsePrefix("100.64.0.0/10"),   // carrier-grade NAT, and some clouds' metadata
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local, most clouds' metadata
	netip.MustParsePrefix("172.16.0.0/12"),   // private
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments, one cloud's metadata
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.31.196.0/24"), // AS112
	netip.MustParsePrefix("192.52.193.0/24"), // AMT
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relay
	netip.MustParsePrefix("192.168.0.0/16"),  // private
	netip.MustParsePrefix("192.175.48.0/24"), // AS112
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast

	netip.MustParsePrefix("::/96"),         // unspecified, loopback, IPv4-compatible
	netip.MustParsePrefix("::ffff:0:0/96"), // IPv4-mapped
	netip.MustParsePrefix("::ffff:0:0:0/96"),
	netip.MustParsePrefix("64:ff9b::/96"),   // NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"), // NAT64, local use
	netip.MustParsePrefix("100::/64"),       // discard
	netip.MustParsePrefix("100:0:0:1::/64"), // dummy
	netip.MustParsePrefix("2001::/23"),      // protocol assignments: Teredo, ORCHID, benchmarking
	netip.MustParsePrefix("2001:db8::/32"),  // documentation
	netip.MustParsePrefix("2002::/16"),      // 6to4
	netip.MustParsePrefix("2620:4f:8000::/48"),
	netip.MustParsePrefix("3fff::/20"), // documentation
	netip.MustParsePrefix("5f00::/16"), // segment routing
	netip.MustParsePrefix("fc00::/7"),  // unique local, including fd00:ec2::254
	netip.MustParsePrefix("fe80::/10"), // link-local
	netip.MustParsePrefix("fec0::/10"), // site-local
	netip.MustParsePrefix("ff00::/8"),  // multicast
}

// public reports whether a is an ordinary destination on the internet.
func public(a netip.Addr) bool {
	if !a.IsValid() {
		return false
	}
	a = a.WithZone("")
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.Is4() || global.Contains(a)
}

// global is the only IPv6 range assigned to the public internet so far; the rest is reserved.
var global = netip.MustParsePrefix("2000::/3")

// numeric reports whether the last label of host is a number, which C library resolvers parse as an IPv4 address in
// decimal, octal or hexadecimal. Such a host is either a plain dotted quad or not a host name at all.
func numeric(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if last == "" {
		return true
	}
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// plainName reports whether host consists of letters, digits, dots, hyphens and underscores. Other forms, such as
// full-width digits that a later step might convert to an address, are never looked up.
func plainName(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for _, c := range []byte(host) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_':
		default:
			return false
		}
	}
	return true
}
