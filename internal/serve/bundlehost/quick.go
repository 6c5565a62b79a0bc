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

// wish is everything about a request that decides which file of a version answers it, and with which headers.
type wish struct {
	path     string // below the base path
	packed   bool   // the reader takes gzip
	markdown bool
	secure   bool
}

// ready is an answer that was made before.
type ready struct {
	*httpfile.Response
	name   string
	file   bundlestore.File
	packed bool
	data   []byte // nil for a large file, which is sent from the disk
}

const (
	readyBytes = 16 << 20  // of one version's answers, with the small files
	smallFile  = 128 << 10 // as it is sent
)

// wishOf reads a request; ok is false for one that is answered the long way each time.
func (h *Host) wishOf(w http.ResponseWriter, r *http.Request, path string, secure bool) (k wish, ok bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !httpfile.Untouched(w.Header()) ||
		strings.HasPrefix(path, capability.Path) {
		return k, false // headers set by other handlers would be cached with ours
	}
	return wish{path, route.AcceptsGzip(r.Header.Get("Accept-Encoding")), route.PrefersMarkdown(r.Header["Accept"]),
		secure}, true
}

// quick answers from what was made before.
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
		return false // reported by the uncached path
	}
	defer func() { _ = content.Close() }() // read only
	a.Stream(w, r, content)
	return true
}

// keep sends a file, and keeps the answer for the next one who asks. It fails before anything was sent.
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
