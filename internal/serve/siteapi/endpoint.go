package siteapi

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// Site is the version of a site that a request is for.
type Site struct {
	ProjectID string // "" without projects: in a bundle, or a preview on the author's machine
	Host      string // host name used by the reader, in lower case and without port
	Origin    string // canonical origin of the site; "" = unknown
	Preview   bool   // preview of a branch: visits are not counted
	Library   *sitereader.Library
}

// Endpoint handles requests below a path of a site.
type Endpoint interface {
	ServeSite(w http.ResponseWriter, r *http.Request, s Site)
}

// SetOffers adds a header that tells a page's scripts which endpoints the server has. The page itself does not say so,
// because hosts without these endpoints serve the same page. Scripts read the header as a server timing of the page.
func SetOffers(h http.Header, endpoints map[string]Endpoint) {
	if endpoints[capability.SearchPath] != nil {
		h.Set("Server-Timing", searchTiming)
	}
}

// UserTiming is the server timing that tells a page's scripts that the server knows the reader. It is used by
// web/theme/src/content/reader.ts.
const UserTiming = "lectern-user"

// searchTiming is used by web/theme/src/search/ask.ts.
const searchTiming = "lectern-search"

// Watcher receives every response to a request for a page, its text form, or a missing path. It must return
// immediately and not retain r. file is the name of the file that was sent, such as guides/start.html, or "" for a
// missing path.
type Watcher interface {
	Served(r *http.Request, s Site, file string, status int)
}

// CallerKey returns the key under which a caller is counted: the address, or the /64 network of an IPv6 address.
func CallerKey(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.Unmap().String()
}

// Unborrowed reports whether a host name is one that other sites cannot point to this server. This is true for IP
// addresses and for names of the machine itself: with DNS rebinding, another site can point its own name to this
// server, but not one of these.
func Unborrowed(host string) bool {
	host = hostname.Clean(host)
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// OwnPage reports whether a browser states that a page of the same origin made the request. Other programs can send
// any header; this only keeps other sites from using their visitors' browsers.
func OwnPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin":
		return true
	case "": // an old browser, or another program
	default:
		return false
	}
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// Refuse responds with an error in the admin API's format: error, code.
func Refuse(w http.ResponseWriter, status int, code, sentence string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// Encode fails only if the caller has disconnected.
	_ = json.NewEncoder(w).Encode(map[string]string{"error": sentence, "code": code})
}

// RefuseFault responds with a fault; other errors are reported as internal.
func RefuseFault(w http.ResponseWriter, err error) {
	f, ok := fault.As(err)
	if !ok {
		Refuse(w, http.StatusInternalServerError, "internal", "An internal error occurred.")
		return
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(apierror.Seconds(f.RetryAfter)))
	}
	Refuse(w, apierror.Status(f.Kind), f.Code, fault.Public(err))
}
