package devserve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// guard rejects requests that another site could make a browser send. The preview responds only under this machine's
// own names, so that an attacker who points another name at this machine cannot read the author's files. Changes and
// findings are sent only to the preview's own pages.
func guard(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route.SetHeaders(w.Header())
		switch {
		case !known(hosts, r.Host):
			refuse(w, "The preview is not available under this host name.")
		case strings.HasPrefix(r.URL.Path, prefix) && !sameOrigin(r):
			refuse(w, "Only pages of the preview may use this.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a host name is safe because no other site can point it at this machine: IP addresses,
// localhost, and names given by the author.
func known(hosts []string, host string) bool {
	return siteapi.Unborrowed(host) || slices.Contains(hosts, hostname.Clean(host))
}

func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, r.Host)
}

func refuse(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write([]byte(text + "\n")) // the error cannot be reported
}
