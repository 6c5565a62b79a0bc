package siteaccess

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Values about a reader come from a token or an identity provider, and the site's pages can show them as {user.name}.
// The reader's browser keeps them, encrypted for one session: the server does not store them, and cached content
// never contains them. The cookie is sent only to this one path.
const (
	valuesCookie = "lectern-reader-user"
	forValues    = "lectern reader values"
	maxValues    = 2048 // bytes of JSON; after encryption they must fit into a cookie, limited to 4096 bytes
)

// cleanValues returns a JSON object without whitespace, or nil if raw is not an object or too long.
func cleanValues(raw []byte) json.RawMessage {
	var fields map[string]json.RawMessage
	var out bytes.Buffer
	if json.Unmarshal(raw, &fields) != nil || len(fields) == 0 || json.Compact(&out, raw) != nil ||
		out.Len() > maxValues {
		return nil
	}
	return out.Bytes()
}

// providerValues returns the person's standard values that the provider sent, and the fields of the claim "content".
func providerValues(name, given, family, email string, content json.RawMessage) json.RawMessage {
	fields := map[string]any{}
	for name, value := range map[string]string{"name": name, "firstName": given, "lastName": family, "email": email} {
		if value != "" {
			fields[name] = value
		}
	}
	var more map[string]json.RawMessage
	if json.Unmarshal(content, &more) == nil {
		for name, value := range more {
			fields[name] = value
		}
	}
	raw, _ := json.Marshal(fields) // cannot fail: strings and valid JSON
	return raw
}

// sendValues sends a new session's values to the browser, replacing those of an earlier session.
func (s *Service) sendValues(w http.ResponseWriter, r *http.Request, site siteapi.Protected, hash string,
	raw json.RawMessage) {
	values := cleanValues(raw)
	if values == nil {
		if len(raw) > maxValues {
			s.Log.WarnContext(r.Context(), "reader values dropped: too long", "project", site.ProjectID,
				"bytes", len(raw), "most", maxValues)
		}
		s.setValuesCookie(w, r, site, "", -1)
		return
	}
	sealed := s.seal(forValues, valuesOwner(site, hash), values)
	s.setValuesCookie(w, r, site, sealed, int(s.Limits.Absolute.Seconds()))
}

// valuesOwner binds values to a session: with another session they cannot be decrypted.
func valuesOwner(site siteapi.Protected, hash string) string {
	return owner(site.ProjectID, site.Host) + " " + hash
}

func (s *Service) setValuesCookie(w http.ResponseWriter, r *http.Request, site siteapi.Protected, value string,
	maxAge int) {
	http.SetCookie(w, &http.Cookie{Name: s.valuesCookieName(r), Value: value, Path: site.Base + capability.UserPath,
		MaxAge: maxAge, HttpOnly: true, Secure: s.Proxies.Secure(r), SameSite: http.SameSiteStrictMode})
}

// valuesCookieName returns the cookie's name. Its prefix differs from that of the other cookies, because it is sent
// to only one path.
func (s *Service) valuesCookieName(r *http.Request) string {
	if s.Proxies.Secure(r) {
		return "__Secure-" + valuesCookie
	}
	return valuesCookie
}

// serveValues gives the site's pages the values about their reader; the response is empty if there are none.
func (s *Service) serveValues(w http.ResponseWriter, r *http.Request, site siteapi.Protected) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	if r.Method != http.MethodGet {
		h.Set("Allow", "GET")
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "This address only supports GET.")
		return
	}
	if !siteapi.OwnPage(r) {
		siteapi.Refuse(w, http.StatusForbidden, "other_site", "Only pages of this site can read this.")
		return
	}
	found, err := s.findSession(r, site)
	if err != nil && !fault.Is(err, fault.Unauthenticated) {
		s.problem(w, r, err)
		return
	}
	var values json.RawMessage
	ok := false
	if err == nil {
		_, ok = s.unseal(forValues, valuesOwner(site, found.Hash), cookieValue(r, s.valuesCookieName(r)), &values)
	}
	if !ok {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"user":`+string(values)+"}\n") // fails only if the client has disconnected
}
