package route

import (
	"net/http"
	"strings"
)

// The content security policies. Pages have no inline script and no inline style, so neither needs to be allowed (C5).
// Components of authors may fetch data from other sites, and the playground calls APIs, also those without TLS; it
// shows images and sounds of the responses as blobs. All pages of all sites have the same policy: client-side
// navigation leads from pages without a playground to pages with one, and the browser keeps the policy of the first
// page.
const (
	PagePolicy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https: http:; media-src 'self' blob: https: http:; font-src 'self' data:; " +
		"connect-src 'self' https: http:; frame-src 'self' https:; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; " +
		"form-action 'self'; frame-ancestors 'self'"
	// FilePolicy: an image or document that an author uploaded must not act as a page of the site (C4).
	FilePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)

// SetHeaders sets the headers of every response of a site.
func SetHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("X-Frame-Options", "SAMEORIGIN") // frame-ancestors for browsers that do not support it
	h.Set("Content-Security-Policy", PagePolicy)
}

// SetFileHeaders sets the headers of one file, in addition to SetHeaders.
func SetFileHeaders(h http.Header, contentType string) {
	h.Set("Content-Type", contentType)
	if active(contentType) {
		h.Set("Content-Security-Policy", FilePolicy)
	}
}

// active reports whether a browser would run scripts in a file opened by itself although it is not one of our pages.
func active(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.HasSuffix(t, "xml")
}
