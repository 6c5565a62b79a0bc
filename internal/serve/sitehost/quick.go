package sitehost

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// wish contains every property of a request that affects a response with a file. Published versions never change, so
// a cached response never becomes stale.
type wish struct {
	manifest, path string
	base           string // base path of the site
	home           string // manifest of the default version; "" unless another version is requested
	packed         bool   // the client accepts gzip
	markdown       bool
	secure         bool
	preview        bool
}

// ready is a cached response. Its body is in the cache of contents, unless it was evicted.
type ready struct {
	*httpfile.Response
	content string // key in that cache
	name    string // name of the file
}

// readyShare is the divisor that determines the cache size for response headers: they get 1/readyShare of the size of
// the content cache.
const readyShare = 8

// wishOf returns the cache key of a request; ok is false if the request bypasses the cache.
func (h *Host) wishOf(w http.ResponseWriter, r *http.Request, s Site) (k wish, ok bool) {
	if s.ManifestKey == "" || r.Method != http.MethodGet && r.Method != http.MethodHead ||
		r.URL.Path == deploy.AgentPath || strings.HasPrefix(r.URL.Path, capability.Path) || !httpfile.Untouched(w.Header()) {
		return k, false // headers set by other handlers would be cached with ours
	}
	return wish{s.ManifestKey, r.URL.Path, s.Base, s.home, route.AcceptsGzip(r.Header.Get("Accept-Encoding")),
		route.PrefersMarkdown(r.Header["Accept"]), h.secure(r), s.Preview}, true
}

// quick responds from the cache, if possible.
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
