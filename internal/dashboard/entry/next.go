package entry

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// local returns an address if it is a page of the dashboard on this host, and otherwise the overview's address.
// Browsers interpret some addresses in surprising ways, so anything that any of them could take for another host is
// rejected: a sign-in link must never lead elsewhere.
func local(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "", u.Opaque != "", u.Host != "", u.User != nil:
		return shell.Path
	case strings.ContainsFunc(address,
		func(r rune) bool { return r == '\\' || unicode.IsControl(r) || unicode.IsSpace(r) }):
		return shell.Path
	case strings.Contains(u.Path, "//"), strings.Contains(u.Path, `\`), !strings.HasPrefix(u.Path, shell.Path),
		!strings.HasPrefix(path.Clean(u.Path)+"/", shell.Path):
		return shell.Path
	}
	return address
}

// afterwards returns the page to open after signing in. It excludes the sign-in pages themselves, which would cause
// redirect loops.
func afterwards(next string) string {
	next = local(next)
	for _, entry := range []string{"/dashboard/sign-in", "/dashboard/sign-out", "/dashboard/oidc/", "/dashboard/saml/", "/dashboard/live",
		shell.FilesPath} {
		if strings.HasPrefix(next, entry) {
			return shell.Path
		}
	}
	return next
}

const themeLife = 365 * 24 * time.Hour

// setTheme stores the light or dark theme in a cookie. It changes no data, so it requires no token.
func setTheme(b *shell.Board, v *shell.Visit) error {
	c := &http.Cookie{Name: shell.ThemeCookie, Value: v.Field("theme"), Path: "/", MaxAge: int(themeLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if c.Value != "light" && c.Value != "dark" {
		c.Value, c.MaxAge = "", -1 // the system's theme
	}
	http.SetCookie(v.W, c)
	back := local(v.Field("back"))
	// The page may be the response to a form, at a URL that only accepts forms.
	if _, pattern := b.Mux.Handler(&http.Request{Method: http.MethodGet,
		URL: mustParse(back)}); !strings.HasPrefix(pattern, http.MethodGet+" ") {
		back = shell.Path
	}
	http.Redirect(v.W, v.R, back, http.StatusSeeOther)
	return nil
}

// mustParse parses an address returned by local.
func mustParse(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic("dashboard: " + err.Error())
	}
	return u
}
