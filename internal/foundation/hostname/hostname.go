// Package hostname normalizes and compares host names: it ignores letter case, a trailing dot, a port and the
// brackets of IPv6 addresses.
//
// Inputs: the Host header of a request, or the host of a URL. Outputs: the form in which host names are stored and
// compared. It never resolves names.
package hostname

import (
	"net"
	"net/netip"
	"strings"
)

// Clean returns the normalized form of a host: lower case, without port, brackets and trailing dot.
func Clean(host string) string {
	if strings.Contains(host, ":") {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// IsLocal reports whether a host refers to the caller's own machine: a loopback address, localhost, or a name below
// localhost.
func IsLocal(host string) bool {
	host = Clean(host)
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
