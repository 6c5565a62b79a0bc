package sitehost

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// wish is everything about a request that decides which file answers it, and with which headers. Versions do not change
// once they are published, so a cached response never becomes stale.
type wish struct {
	manifest, path string
	base           string // path of the site
	home           string // manifest of the default version; "" unless the site is another one
	packed         bool   // the reader takes gzip
	markdown       bool
	secure         bool
	preview        bool
}

// ready is an answer that was made before. Its bytes are in the cache of contents, or were.
type ready struct {
	*httpfile.Response
	content string // key in that cache
	name    string // of the file
}

// readyShare of the memory for contents is what headers of answers may take.
const readyShare = 8

// wishOf reads a request; ok is false for one that is answered the long way each time.
func (h *Host) wishOf(w http.ResponseWriter, r *http.Request, s Site) (k wish, ok bool) {
	if s.ManifestKey == "" || r.Method != http.MethodGet && r.Method != http.MethodHead ||
		r.URL.Path == deploy.AgentPath || strings.HasPrefix(r.URL.Path, capability.Path) || !httpfile.Untouched(w.Header()) {
		return k, false // headers set by other handlers would be cached with ours
	}
	return wish{s.ManifestKey, r.URL.Path, s.Base, s.home, route.AcceptsGzip(r.Header.Get("Accept-Encoding")),
		route.PrefersMarkdown(r.Header["Accept"]), h.secure(r), s.Preview}, true
}

// quick answers from what was made before, if it is still there.
func (h *Host) quick(w http.ResponseWriter, r *http.Request, s Site, k wish) bool {
	a, ok := h.answers.Find(k)
	if !ok {
		return false
	}
	data, ok := h.bytes.get(a.content)
	if !ok {
		return false
	}
	h.served(r, s, nil, a.name, http.StatusOK)
	a.Bytes(w, r, data)
	return true
}

// contentKey returns a file's key in the cache of contents.
func contentKey(f deploy.File, n naming, packed bool) string {
	if packed {
		return f.SHA256 + n.key() + ".gz"
	}
	return f.SHA256 + n.key()
}
