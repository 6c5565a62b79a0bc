package bundlehost

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// wish contains every property of a request that affects a response with a file.
type wish struct {
	path     string // below the base path
	packed   bool   // the client accepts gzip
	markdown bool
	secure   bool
}

// ready is a cached response.
type ready struct {
	*httpfile.Response
	name   string
	file   bundlestore.File
	packed bool
	data   []byte // nil for a large file, which is read from disk
}

const (
	readyBytes = 16 << 20  // cache size for one version, including small files
	smallFile  = 128 << 10 // maximum size of a cached file, as sent
)

// wishOf returns the cache key of a request; ok is false if the request bypasses the cache.
func (h *Host) wishOf(w http.ResponseWriter, r *http.Request, path string, secure bool) (k wish, ok bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !httpfile.Untouched(w.Header()) ||
		strings.HasPrefix(path, capability.Path) {
		return k, false // headers set by other handlers would be cached with ours
	}
	return wish{path, route.AcceptsGzip(r.Header.Get("Accept-Encoding")), route.PrefersMarkdown(r.Header["Accept"]),
		secure}, true
}

// quick responds from the cache.
func (s *shown) quick(w http.ResponseWriter, r *http.Request, k wish) bool {
	a, ok := s.answers.Find(k)
	switch {
	case !ok:
		return false
	case a.data != nil:
		a.Bytes(w, r, a.data)
		return true
	}
	content, err := s.Open(a.name, a.file, a.packed)
	if err != nil {
		return false // the uncached path reports the error
	}
	defer func() { _ = content.Close() }() // read only
	a.Stream(w, r, content)
	return true
}

// keep sends a file and caches the response. It returns an error only if nothing was sent yet.
func (a *reply) keep(next ready, size int64, content *os.File) error {
	weight := next.Weight() + int64(len(a.want.path)+len(next.name))
	if size > 0 && size <= smallFile {
		next.data = make([]byte, size)
		if _, err := io.ReadFull(content, next.data); err != nil {
			return fmt.Errorf("read file of version %s: %w", a.version.Name(), err)
		}
		weight += size
	}
	a.now.answers.Keep(*a.want, next, weight)
	if next.data != nil {
		next.Bytes(a.w, a.r, next.data)
	} else {
		next.Stream(a.w, a.r, content)
	}
	return nil
}
