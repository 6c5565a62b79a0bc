package shell

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

// home reports whether a request came to a host on which no site can ever be: that of the server's own address, this
// machine's name for itself, or a bare IP address. Anywhere else a site may be one day, or a stranger's name may lead
// here: there is no sign-in there (C4).
func (b *Board) home(r *http.Request) bool {
	base, ok := b.Proxies.Reached(r)
	if !ok {
		return false // it could be anywhere
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

// Base returns the address of this server as the caller should use it, without a slash at the end.
func (b *Board) Base(r *http.Request) string {
	if b.PublicURL != "" {
		return strings.TrimRight(b.PublicURL, "/")
	}
	return b.Proxies.BaseURL(r)
}

// serveElsewhere answers on hosts that are neither a site nor the dashboard's.
func (b *Board) serveElsewhere(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" && strings.HasPrefix(r.URL.Path, FilesPath) {
		b.serveFile(w, r) // the page below has a style sheet
		return
	}
	b.page(w, r, http.StatusNotFound, "elsewhere", Frame{Title: "No site here"},
		struct{ Host, Home string }{HostOf(b.Proxies.BaseURL(r)), b.PublicURL})
}
