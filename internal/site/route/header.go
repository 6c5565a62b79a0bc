package route

import (
	"net/http"
	"strings"
)

// The rules a page lives under. Pages carry no inline script and no inline style, so neither needs to be allowed (C5).
// Components of authors may ask other sites for data, and the playground asks APIs, also those of a machine without TLS; it shows pictures
// and sounds that came back as blobs. That stands on all pages of all sites: readers come to a page that plays by an instant change from one
// that does not, and keep the rules of the page that they came to first.
const (
	PagePolicy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https: http:; media-src 'self' blob: https: http:; font-src 'self' data:; " +
		"connect-src 'self' https: http:; frame-src 'self' https:; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; " +
		"form-action 'self'; frame-ancestors 'self'"
	// FilePolicy: an image or document that an author uploaded must not act as a page of the site (C4).
	FilePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)

// SetHeaders sets what every answer of a site carries.
func SetHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("X-Frame-Options", "SAMEORIGIN") // frame-ancestors for readers that do not know it
	h.Set("Content-Security-Policy", PagePolicy)
}

// SetFileHeaders sets what goes with one file, on top of SetHeaders.
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
