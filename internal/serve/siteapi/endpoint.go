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

// Site is one version of a site, as a request found it.
type Site struct {
	ProjectID string // "" where there are no projects: a bundle, a preview on the author's machine
	Host      string // host name that the reader used, in lower case and without port
	Origin    string // canonical origin of the site; "" = unknown
	Preview   bool   // of a branch: nobody counts its visits
	Library   *sitereader.Library
}

// Endpoint handles requests below a path of a site.
type Endpoint interface {
	ServeSite(w http.ResponseWriter, r *http.Request, s Site)
}

// SetOffers adds a header that tells a page's scripts which endpoints its server has, as far as the page itself does
// not: it is the same on hosts that have none. Scripts read it as a timing of the page.
func SetOffers(h http.Header, endpoints map[string]Endpoint) {
	if endpoints[capability.SearchPath] != nil {
		h.Set("Server-Timing", searchTiming)
	}
}

// UserTiming tells a page's scripts that the server knows its reader: web/theme/src/content/reader.ts looks for it.
const UserTiming = "lectern-user"

// searchTiming is what web/theme/src/search/ask.ts looks for.
const searchTiming = "lectern-search"

// Watcher receives every response to a request for a page, a text form of one, or a missing path. It must return at
// once and keep nothing of r. file is the name of the file that answered, such as guides/start.html; "" for a missing
// path.
type Watcher interface {
	Served(r *http.Request, s Site, file string, status int)
}

// CallerKey returns what limits count: an address, or the network that one IPv6 customer has.
func CallerKey(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.Unmap().String()
}

// Unborrowed reports host names that no other site can point here: IP addresses, and names of the machine itself. A
// page of another site whose own name leads to this server, or begins to, cannot have one of these.
func Unborrowed(host string) bool {
	host = hostname.Clean(host)
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// OwnPage reports whether a browser says that a page of the same origin made the request. Programs that are no browsers
// can say anything; this keeps other sites from using their visitors' browsers.
func OwnPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin":
		return true
	case "": // an old browser, or none
	default:
		return false
	}
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// Refuse answers with an error in the form of the admin API: error, code.
func Refuse(w http.ResponseWriter, status int, code, sentence string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": sentence, "code": code}) // the caller has gone
}

// RefuseFault responds with a fault; other errors are reported as unexpected.
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
