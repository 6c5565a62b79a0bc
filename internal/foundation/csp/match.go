package csp

import (
	"net/url"
	"strings"
)

// Covers reports whether the list allows an address for a kind of content. It follows the rules that browsers apply. An
// address without a scheme is treated as https.
func (a Allow) Covers(kind, address string) bool {
	if strings.HasPrefix(address, "//") {
		address = "https:" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	for _, source := range a[kind] {
		if !strings.Contains(source, "://") || Check(kind, source) != nil {
			continue
		}
		if matches(source, u) {
			return true
		}
	}
	return false
}

func matches(source string, u *url.URL) bool {
	scheme, rest, _ := strings.Cut(source, "://")
	host, path, _ := strings.Cut(rest, "/")
	name, port := host, ""
	if i := strings.LastIndexByte(host, ':'); i > strings.IndexByte(host, ']') {
		name, port = host[:i], host[i+1:]
	}
	if scheme != u.Scheme && (scheme != "http" || u.Scheme != "https") {
		return false
	}
	if port == "" {
		port = usualPort(u.Scheme)
	}
	have := u.Port()
	if have == "" {
		have = usualPort(u.Scheme)
	}
	return port == have && matchesHost(strings.Trim(name, "[]"), u.Hostname()) && matchesPath("/"+path, u.Path)
}

func usualPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

// matchesHost compares host names. "*.example.com" matches all names below example.com.
func matchesHost(want, have string) bool {
	want, have = strings.ToLower(want), strings.ToLower(have)
	if below, ok := strings.CutPrefix(want, "*"); ok {
		return strings.HasSuffix(have, below) && len(have) > len(below)
	}
	return want == have
}

// matchesPath compares paths. A path that ends with a slash matches all paths that start with it.
func matchesPath(want, have string) bool {
	if plain, err := url.PathUnescape(want); err == nil {
		want = plain
	}
	if strings.HasSuffix(want, "/") {
		return want == "/" || strings.HasPrefix(have, want)
	}
	return want == have
}
