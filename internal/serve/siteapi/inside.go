package siteapi

import (
	"net/http"
	"strings"
)

// Inside returns a request as a site below the path base would get it at the root of a host. path is that of the request
// below base.
func Inside(r *http.Request, base, path string) *http.Request {
	if base == "" {
		return r
	}
	out, at := *r, *r.URL
	at.Path, at.RawPath = path, strings.TrimPrefix(r.URL.RawPath, base)
	out.URL = &at
	return &out
}
