package project

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// A domain is the address of a site: a host name, or a host name with a path, such as example.com/docs.

// Limits of a domain's path, including the leading slash.
const (
	maxPathSegments = 3
	maxPathBytes    = 100
	// MaxDomainBytes limits a whole domain.
	MaxDomainBytes = 253 + maxPathBytes
)

var (
	hostLabel   = lazyregexp.New(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	pathSegment = lazyregexp.New(`^[a-z0-9_-]+$`)
)

// reservedSegments are paths that sites and the server use themselves. A site at such a path would hide the path from a
// site at a shorter one.
var reservedSegments = []string{"_lectern", "blob", "dashboard", "git", "healthz", "login", "logout", "mcp", "metrics",
	"readyz", "v1"}

// SplitDomain returns the host name of a domain in its stored form, and its path, such as /docs; "" = the whole host.
func SplitDomain(domain string) (host, path string) {
	if i := strings.IndexByte(domain, '/'); i >= 0 {
		return domain[:i], domain[i:]
	}
	return domain, ""
}

// HostOf returns the host name of a domain in its stored form.
func HostOf(domain string) string {
	host, _ := SplitDomain(domain)
	return host
}

// PathOf returns the path of a domain in its stored form, such as /docs; "" = the whole host.
func PathOf(domain string) string {
	_, path := SplitDomain(domain)
	return path
}

// CleanDomain converts a host name, with or without a path, to its stored form, or returns a fault that says what
// is wrong.
func CleanDomain(s string) (string, error) {
	name, path, below := strings.Cut(s, "/")
	if below && (path == "" || strings.HasPrefix(path, "/") || strings.Contains(name, ":")) {
		return "", badDomain("%q is not a host name.", s,
			"Write the host name without scheme, port or slash at its end, or with a path: docs.example.com, example.com/docs.")
	}
	host, err := cleanHost(name)
	if err != nil || !below {
		return host, err
	}
	if path, err = cleanPath(strings.TrimSuffix(path, "/")); err != nil {
		return "", err
	}
	return host + path, nil
}

func badDomain(sentence, value, hint string) error {
	return fault.Newf(fault.Invalid, "invalid_field", sentence, value).WithField("domain").WithHint(hint)
}

// cleanHost converts a host name to its stored form.
func cleanHost(s string) (string, error) {
	bad := func(hint string) (string, error) { return "", badDomain("%q is not a host name.", s, hint) }
	d := strings.ToLower(strings.TrimSuffix(s, "."))
	if strings.ContainsAny(d, ":@") {
		return bad("Write the host name only, without scheme or port: docs.example.com.")
	}
	if _, err := netip.ParseAddr(d); err == nil {
		return bad("A site's domain cannot be an IP address.")
	}
	labels := strings.Split(d, ".")
	if len(d) > 253 || len(labels) < 2 {
		return bad("A domain has at least two parts: docs.example.com, or docs.localhost on a laptop.")
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return bad("A domain cannot end in a number; browsers treat it as an IP address.")
	}
	for _, l := range labels {
		if !hostLabel.MatchString(l) {
			return bad(
				"Each part of a domain may contain letters, digits and inner hyphens. Write international names in their xn-- form.")
		}
	}
	return d, nil
}

// cleanPath converts the part of a domain after its first slash to its stored form, with a leading slash. It keeps the
// letter case, because paths are case-sensitive and requests may come through another server's proxy.
func cleanPath(s string) (string, error) {
	path := "/" + s
	if len(path) > maxPathBytes {
		return "", badDomain("The path %q is too long.", path, "The path of a domain may have at most 100 bytes.")
	}
	segments := strings.Split(s, "/")
	if len(segments) > maxPathSegments {
		return "", badDomain("The path %q has too many segments.", path,
			"The path of a domain may have at most 3 segments: /company/docs/api.")
	}
	for _, segment := range segments {
		if !pathSegment.MatchString(segment) {
			return "", badDomain("The path %q cannot be used.", path,
				"Each segment of a domain's path may contain lower-case letters, digits, hyphens and underscores: example.com/docs.")
		}
		if slices.Contains(reservedSegments, segment) {
			return "", fault.Newf(fault.Invalid, "reserved_domain",
				"The path %s contains the segment %s, which is reserved for this server.", path, segment).
				WithField("domain").WithHint("Choose another path, such as /docs.")
		}
	}
	return path, nil
}
