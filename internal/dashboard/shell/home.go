package shell

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

// home reports whether a request was sent to a host that can never have a site: the server's own address, this
// machine's local name, or an IP address. Any other host may get a site one day, or may be a name under a stranger's
// control that points here, so the dashboard does not allow sign-in there (C4).
func (b *Board) home(r *http.Request) bool {
	base, ok := b.Proxies.Reached(r)
	if !ok {
		return false // the host is unknown
	}
	host := HostOf(base)
	if host == "localhost" {
		return true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return b.PublicURL != "" && host == HostOf(b.PublicURL)
}

func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return hostname.Clean(u.Host)
}

// Base returns this server's address for the caller, without a trailing slash.
func (b *Board) Base(r *http.Request) string {
	if b.PublicURL != "" {
		return strings.TrimRight(b.PublicURL, "/")
	}
	return b.Proxies.BaseURL(r)
}

// serveElsewhere responds on hosts that are neither a site's nor the dashboard's.
func (b *Board) serveElsewhere(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" && strings.HasPrefix(r.URL.Path, FilesPath) {
		b.serveFile(w, r) // style sheet of the page below
		return
	}
	b.page(w, r, http.StatusNotFound, "elsewhere", Frame{Title: "No site here"},
		struct{ Host, Home string }{HostOf(b.Proxies.BaseURL(r)), b.PublicURL})
}
