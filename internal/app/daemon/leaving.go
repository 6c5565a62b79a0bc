package daemon

import (
	"net/http"
	"sync/atomic"
)

// leaving asks callers of a stopping server to reconnect, which leads them to another server. Closing idle connections
// at once instead would break the request that is on its way over one. HTTP/3 has no such header; its connections
// learn of it when the server shuts down.
func leaving(stopping *atomic.Bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stopping.Load() && r.ProtoMajor < 3 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
