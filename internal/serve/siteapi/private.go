package siteapi

import (
	"net/http"
	"slices"
	"strings"
)

// PrivateWriter keeps a protected site's responses out of shared caches and search engines, whatever headers the
// handler sets. Browsers must revalidate each time, so that nothing is shown after a session has ended.
type PrivateWriter struct {
	http.ResponseWriter
	secure bool // the request used TLS
	Named  bool // values about the reader are available to pages
	begun  bool
}

// NewPrivateWriter returns a PrivateWriter; secure means that the request used TLS.
func NewPrivateWriter(w http.ResponseWriter, secure bool) *PrivateWriter {
	return &PrivateWriter{ResponseWriter: w, secure: secure}
}

// WriteHeader adds the headers before the first status.
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
		h.Set("Cross-Origin-Resource-Policy", "same-origin") // other origins of the same site send the cookies too
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

// Write implements http.ResponseWriter.
func (w *PrivateWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError is called by http.ResponseController.
func (w *PrivateWriter) FlushError() error {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap gives http.ResponseController access to the connection.
func (w *PrivateWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
