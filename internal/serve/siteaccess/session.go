package siteaccess

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Names of cookies, without the prefix added over TLS. With the prefix, browsers reject a cookie set by another site on
// the same parent domain, and never send it to another host.
const (
	sessionCookie = "lectern-reader"
	startCookie   = "lectern-reader-start" // state kept by a browser while it signs in elsewhere
	// signedInCookie tells the page's script that there is a session, so that it shows a sign-out button. It proves
	// nothing and reveals nothing about the reader, and the server sends the same pages with and without it.
	signedInCookie = "lectern-signed-in"
)

// seenInterval is the precision with which a session's last use is stored.
const seenInterval = time.Minute

// cookieName adds the prefix. A site below a path shares its host with other sites, which must not get its cookies,
// so its cookies have a path. With a path, browsers permit only the weaker prefix.
func (s *Service) cookieName(r *http.Request, site siteapi.Protected, name string) string {
	switch {
	case !s.Proxies.Secure(r):
		return name
	case site.Base != "":
		return "__Secure-" + name
	}
	return "__Host-" + name
}

func (s *Service) setCookie(w http.ResponseWriter, r *http.Request, site siteapi.Protected, name, value string,
	maxAge int) {
	http.SetCookie(w, &http.Cookie{Name: s.cookieName(r, site, name), Value: value, Path: site.Base + "/", MaxAge: maxAge,
		HttpOnly: name != signedInCookie, Secure: s.Proxies.Secure(r), SameSite: http.SameSiteLaxMode})
}

func cookieValue(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// checkTransport rejects sign-in over connections on which others could read secrets.
func (s *Service) checkTransport(r *http.Request) error {
	if s.Proxies.Secure(r) || s.AllowHTTP || hostname.IsLocal(r.Host) {
		return nil
	}
	return fault.New(fault.Forbidden, "https_required",
		"Signing in requires https: over plain http, others could read what you send.").
		WithHint("Open this site with https://.")
}

// open starts a session with a new token and sets its cookie. It ends the browser's previous session, so that an
// attacker cannot plant a session in a browser and use it later. in contains the version of the settings under which
// the reader signed in; if the settings have changed since, the session is invalid from the start. values are for the
// site's pages and may be nil.
func (s *Service) open(w http.ResponseWriter, r *http.Request, site siteapi.Protected, in access.Session,
	values json.RawMessage) error {
	token := account.NewToken(s.Rand)
	in.Hash, in.ProjectID, in.Host = account.TokenHash(token), site.ProjectID, site.Host
	old := ""
	if before := cookieValue(r, s.cookieName(r, site, sessionCookie)); account.IsToken(before) {
		old = account.TokenHash(before)
	}
	err := s.Store.OpenReaderSession(r.Context(), in, old)
	if err == nil {
		s.setCookie(w, r, site, sessionCookie, token, int(s.Limits.Absolute.Seconds()))
		s.sendValues(w, r, site, in.Hash, values)
		s.setCookie(w, r, site, signedInCookie, "1", int(s.Limits.Absolute.Seconds()))
	}
	return err
}

// signOut ends the session of the request's cookie.
func (s *Service) signOut(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if err := s.cross.Check(r); err != nil {
		return otherSite()
	}
	found, err := s.findSession(r, site)
	if err == nil {
		err = s.Store.EndReaderSession(r.Context(), found.Hash, site.ProjectID, site.Host)
	} else if fault.Is(err, fault.Unauthenticated) {
		err = nil
	}
	if err != nil {
		return err
	}
	s.setCookie(w, r, site, sessionCookie, "", -1)
	s.setValuesCookie(w, r, site, "", -1)
	s.setCookie(w, r, site, signedInCookie, "", -1)
	w.Header().Set("Clear-Site-Data", `"cache"`) // the back button must not show pages to the next person
	redirect(w, site.Base+loginPath)
	return nil
}

// settings returns a site's settings for a sign-in. It reads the mode again, because the cached site may be slightly
// outdated.
func (s *Service) settings(ctx context.Context, site siteapi.Protected) (access.Settings, error) {
	a, err := s.Store.FindReaderAccess(ctx, site.ProjectID)
	if err == nil && !a.Protected() {
		err = fault.New(fault.Conflict, "site_changed", "Anyone can read this site now.").
			WithHint("Open it again.")
	}
	return a, err
}

func otherSite() error {
	return fault.New(fault.Forbidden, "other_site", "The form was sent by another site.").
		WithHint("Open this site and try again there.")
}
