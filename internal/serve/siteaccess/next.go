package siteaccess

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
)

const maxNext = 2000 // bytes of the URL that a reader returns to

// safeNext returns a URL if it is on this host, otherwise the site's first page. Browsers interpret some URLs in
// surprising ways, so any URL that some browser could interpret as pointing to another host is rejected: a sign-in link
// must lead neither to another host nor outside the site's base path. The sign-in paths themselves are rejected too,
// because they would cause redirect loops.
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

// withNext adds the page that the reader wants to a path of this package.
func withNext(at, next string) string {
	if next == "/" {
		return at
	}
	return at + "?next=" + url.QueryEscape(next)
}

// redirect redirects a browser with a GET. to must be a URL created by this package.
func redirect(w http.ResponseWriter, to string) {
	h := w.Header()
	h.Set("Location", to)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(http.StatusSeeOther)
}
