package apierror

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Header is the name of the header with the request id, in both directions.
const Header = "X-Request-Id"

var wellFormed = lazyregexp.New(`^[A-Za-z0-9._-]{8,64}$`)

// Identify adds a request id to every response of next (A3).
func (p Writer) Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.RequestID(w, r)
		next.ServeHTTP(w, r)
	})
}

// RequestID returns the request's id and sets it as a response header: the caller's own id if it is well formed,
// otherwise a new one (A3). All calls for the same response return the same id.
func (p Writer) RequestID(w http.ResponseWriter, r *http.Request) string {
	if set := w.Header().Get(Header); set != "" {
		return set
	}
	name := r.Header.Get(Header)
	if !wellFormed.MatchString(name) {
		name = p.IDs.New(id.Request)
	}
	w.Header().Set(Header, name)
	return name
}
