// Package hostname compares host names as the network does: it ignores letter case, a
// trailing dot, a port and the brackets of IPv6.
//
// Inputs: the Host header of a request, or the host of a URL. Outputs: the form in which host names are stored and
// compared. It never resolves a name.
package hostname

import (
	"net"
	"net/netip"
	"strings"
)

// Clean returns a host in the form in which hosts are compared: lower case, without port, brackets and trailing dot.
func Clean(host string) string {
	if strings.Contains(host, ":") {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// IsLocal reports whether a host leads to the caller's own machine: a loopback address, localhost, or a name below
// localhost.
func IsLocal(host string) bool {
	host = Clean(host)
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
