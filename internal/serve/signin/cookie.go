package signin

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

// Names of the session cookie. The prefix makes browsers reject the cookie if another host sets it, so that a site on
// the same parent domain cannot set one (K10).
const (
	secureCookie = "__Host-lectern"
	plainCookie  = "lectern_session"
)

func (d *Service) secure(r *http.Request) bool {
	return strings.HasPrefix(d.Proxies.BaseURL(r), "https://")
}

func (d *Service) cookieName(r *http.Request) string {
	if d.secure(r) {
		return secureCookie
	}
	return plainCookie
}

func (d *Service) cookie(r *http.Request) string {
	c, err := r.Cookie(d.cookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// SetCookie sends a session's token to the browser. The cookie lives as long as a session can last.
func (d *Service) SetCookie(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, d.newCookie(r, token, int(d.Limits.Absolute.Seconds())))
}

// ClearCookie deletes the session cookie.
func (d *Service) ClearCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, d.newCookie(r, "", -1))
}

func (d *Service) newCookie(r *http.Request, value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: d.cookieName(r), Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true,
		Secure: d.secure(r), SameSite: http.SameSiteLaxMode}
}

// CheckTransport rejects sign-in over connections on which others could read passwords.
func (d *Service) CheckTransport(r *http.Request) error {
	u, err := url.Parse(d.Proxies.BaseURL(r))
	if err != nil || d.secure(r) || d.AllowHTTP || hostname.IsLocal(u.Host) {
		return nil
	}
	return fault.New(fault.Forbidden, "https_required",
		"Signing in requires https: over plain http, others could read the password.").
		WithHint(
			"Put a TLS proxy in front and list it in trusted-proxies, open the dashboard on the server itself, " +
				"or set dashboard.http to allow if you trust the network.")
}
