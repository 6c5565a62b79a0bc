package route

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// PagePolicy is the content security policy for pages whose author allows no additional sources.
var PagePolicy = csp.Page{}.Policy()

// FilePolicy is the policy for files that authors upload. An image or document must not have the privileges of a page
// of the site (C4).
const FilePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

// SetHeaders sets the headers that all responses of a site share.
func SetHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("X-Frame-Options", "SAMEORIGIN") // for browsers that do not support frame-ancestors
	h.Set("Content-Security-Policy", PagePolicy)
}

// SetPolicy replaces the content security policy that SetHeaders set with the policy of a site.
func SetPolicy(h http.Header, policy string) { h.Set("Content-Security-Policy", policy) }

// SetFileHeaders sets the headers of one file, in addition to SetHeaders.
func SetFileHeaders(h http.Header, contentType string) {
	h.Set("Content-Type", contentType)
	if active(contentType) {
		h.Set("Content-Security-Policy", FilePolicy)
	}
}

// active reports whether a file that is not one of our pages could run scripts when a browser opens it directly.
func active(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.HasSuffix(t, "xml")
}
