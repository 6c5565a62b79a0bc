package capability

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Origin returns the normalized origin of a URL: scheme://host[:port] in lower case, without the scheme's default port.
// ok is false if the URL is not an HTTP URL, has a user name, or has a host that programs may parse differently.
func Origin(address string) (origin string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Opaque != "" {
		return "", false
	}
	scheme, usual := strings.ToLower(u.Scheme), "80"
	switch scheme {
	case "http":
	case "https":
		usual = "443"
	default:
		return "", false
	}
	host, ok := hostOf(u.Hostname())
	if !ok {
		return "", false
	}
	switch port := u.Port(); port {
	case "", usual:
	default:
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", false
		}
		if port = strconv.FormatUint(n, 10); port != usual {
			host += ":" + port
		}
	}
	return scheme + "://" + host, true
}

// hostOf returns a host in normalized form: names of ASCII letters, digits, dashes, dots and underscores; IPv6
// addresses in brackets, without a zone.
func hostOf(host string) (string, bool) {
	if strings.Contains(host, ":") {
		a, err := netip.ParseAddr(host)
		if err != nil || a.Zone() != "" {
			return "", false
		}
		return "[" + a.String() + "]", true
	}
	host = strings.ToLower(host)
	if host == "" || len(host) > 255 || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return "", false
	}
	for i := range len(host) {
		switch c := host[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_':
		default:
			return "", false
		}
	}
	return host, true
}
