package daemon

import (
	"net/http"
	"sync/atomic"
)

// closeConnections asks clients of a stopping server to reconnect, which leads them to another server. Closing idle
// connections immediately would break requests in transit. HTTP/3 has no such header; its clients are notified by the
// shutdown.
func closeConnections(stopping *atomic.Bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stopping.Load() && r.ProtoMajor < 3 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
