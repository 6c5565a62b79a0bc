package siteaccess

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
)

const maxNext = 2000 // bytes of an address that a reader is sent back to

// safeNext returns an address if it is one on this very host, else the site's first page. Browsers read some addresses
// in surprising ways: what could be another host to any of them is refused, so that a link to sign in never leads
// elsewhere. Neither does it lead out of the path that the site is below. The paths of signing in themselves would redirect in circles.
func safeNext(address string) string {
	const home = "/"
	u, err := url.Parse(address)
	if err != nil || len(address) > maxNext || u.Scheme != "" || u.Opaque != "" || u.Host != "" || u.User != nil ||
		!strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || !strings.HasPrefix(u.Path, "/") ||
		strings.ContainsFunc(address, odd) || strings.ContainsFunc(u.Path, odd) || strings.Contains(u.Path, "//") ||
		strings.Contains(u.Path+"/", "/../") || strings.Contains(u.Path+"/", "/./") {
		return home
	}
	at := path.Clean(u.Path)
	if at == loginPath || strings.HasPrefix(at, loginPath+"/") || at == logoutPath {
		return home
	}
	query := strings.ReplaceAll(u.RawQuery, " ", "%20")
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: query}).String()
}

func odd(r rune) bool { return r == '\\' || unicode.IsControl(r) || unicode.IsSpace(r) && r != ' ' }

// withNext adds where the reader wanted to go to a path of this package.
func withNext(at, next string) string {
	if next == "/" {
		return at
	}
	return at + "?next=" + url.QueryEscape(next)
}

// redirect leads a browser on with a GET. to is an address that this package made.
func redirect(w http.ResponseWriter, to string) {
	h := w.Header()
	h.Set("Location", to)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(http.StatusSeeOther)
}
