package siteapi

import (
	"net/http"
	"strings"
)

// Inside returns the request as if the site below the path base were at the root of its host. path is the request's
// path below base.
func Inside(r *http.Request, base, path string) *http.Request {
	if base == "" {
		return r
	}
	out, at := *r, *r.URL
	at.Path, at.RawPath = path, strings.TrimPrefix(r.URL.RawPath, base)
	out.URL = &at
	return &out
}
