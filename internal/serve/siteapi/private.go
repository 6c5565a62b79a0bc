package siteapi

import (
	"net/http"
	"slices"
	"strings"
)

// PrivateWriter keeps responses of a protected site out of shared caches and search engines, whatever the handler that
// wrote them says. Browsers ask again each time, so that a session that ended shows nothing more.
type PrivateWriter struct {
	http.ResponseWriter
	secure bool // the reader came over TLS
	Named  bool // the reader's pages can ask for values of the reader
	begun  bool
}

// NewPrivateWriter makes one; secure says that the reader came over TLS.
func NewPrivateWriter(w http.ResponseWriter, secure bool) *PrivateWriter {
	return &PrivateWriter{ResponseWriter: w, secure: secure}
}

// WriteHeader adds the headers.
func (w *PrivateWriter) WriteHeader(status int) {
	if !w.begun {
		w.begun = status >= http.StatusOK
		h := w.Header()
		if !strings.Contains(h.Get("Cache-Control"), "no-store") {
			h.Set("Cache-Control", "private, no-cache")
		} else {
			h.Set("Cache-Control", "private, no-store")
		}
		if !slices.Contains(h["Vary"], "Cookie") {
			h["Vary"] = append(slices.Clone(h["Vary"]), "Cookie", "Authorization")
		}
		h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
		h.Set("Cross-Origin-Resource-Policy", "same-origin") // cookies are sent from other origins of the same site
		h.Del("Access-Control-Allow-Origin")
		h.Del("Expires")
		h.Del("CDN-Cache-Control")
		if w.Named {
			h["Server-Timing"] = append(slices.Clone(h["Server-Timing"]), UserTiming)
		}
		if w.secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the headers first.
func (w *PrivateWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError sends the headers with those of this writer; http.ResponseController calls it.
func (w *PrivateWriter) FlushError() error {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (w *PrivateWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
