package siteaccess

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// The organization's own application signs its users in with a signed token. The browser either posts the token in a
// form, or a page of ours reads it from the URL's fragment, so the token appears in no server's or proxy's log.
const (
	tokenPath     = loginPath + "/jwt"
	maxToken      = 16 << 10         // bytes
	maxTokenLife  = 10 * time.Minute // maximum time until exp
	tokenLeeway   = time.Minute      // clock difference
	maxTokenID    = 200              // bytes
	triesOfTokens = 60               // wrong tokens or provider codes from one network
)

// tokenClaims are the claims of a token. exp, jti and aud are required.
type tokenClaims struct {
	jwt.Claims
	User    string          `json:"user"` // "" = sub
	Groups  []string        `json:"groups"`
	Content json.RawMessage `json:"content"` // values about the reader for the site's pages; an object
}

// reader returns the reader's id.
func (c tokenClaims) reader() string { return cmp.Or(c.User, c.Subject) }

func (s *Service) signInWithToken(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if err := s.checkTransport(r); err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "invalid_form", "The form could not be read.").WithCause(err)
	}
	a, err := s.settings(r.Context(), site)
	if err != nil {
		return err
	}
	if a.Mode != access.JWT {
		return nothingHere()
	}
	from := s.place(r)
	if err := s.tokens.Take(r.Context(), from); err != nil {
		return err
	}
	said, err := s.verifyToken(a.Handoff, site.Host, r.PostForm.Get("token"))
	if err != nil {
		s.Log.WarnContext(r.Context(), "reader token refused", "project", a.ProjectID, "reason", err)
		return fault.New(fault.Unauthenticated, "invalid_token", "This sign-in link is invalid or has expired.").
			WithHint("Go back to the application that you came from and try again.")
	}
	s.tokens.GiveBack(r.Context(), from)
	if err := s.useOnce(r.Context(), "reader token", a.ProjectID+" "+said.ID, maxTokenLife+2*tokenLeeway); err != nil {
		return err
	}
	in := access.Session{Version: a.Version, Method: access.JWT, Subject: said.reader(), Groups: boundGroups(said.Groups)}
	if err := s.open(w, r, site, in, said.Content); err != nil {
		return err
	}
	redirect(w, site.Base+safeNext(r.PostForm.Get("next")))
	return nil
}

const maxText = 200 // bytes of a reader's id

// reason says why a token was rejected, for the operator's log. It contains nothing from the token.
type reason string

func (r reason) Error() string { return string(r) }

// verifyToken checks signature and claims. The key determines the algorithm; the token's header must match it.
func (s *Service) verifyToken(h access.Handoff, host, token string) (tokenClaims, error) {
	if len(token) > maxToken {
		return tokenClaims{}, reason("too long")
	}
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.EdDSA, jose.ES256, jose.RS256})
	if err != nil || len(parsed.Headers) != 1 {
		return tokenClaims{}, reason("not a token that is signed with EdDSA, ES256 or RS256")
	}
	said, ok := openToken(parsed, h.Keys)
	now := s.Now()
	switch {
	case !ok:
		return said, reason("no key of the site matches its signature")
	case said.Expiry == nil || said.Expiry.Time().Before(now.Add(-tokenLeeway)):
		return said, reason("expired, or exp is missing")
	case said.Expiry.Time().After(now.Add(maxTokenLife + tokenLeeway)):
		return said, reason("exp is more than ten minutes ahead")
	case said.NotBefore != nil && said.NotBefore.Time().After(now.Add(tokenLeeway)),
		said.IssuedAt != nil && said.IssuedAt.Time().After(now.Add(tokenLeeway)):
		return said, reason("not valid yet")
	case !said.Audience.Contains(host):
		return said, reason("aud is not this host")
	case h.Issuer != "" && said.Issuer != h.Issuer:
		return said, reason("iss is not the expected issuer")
	case said.ID == "" || len(said.ID) > maxTokenID:
		return said, reason("jti is missing or too long")
	case len(said.reader()) > maxText: // if truncated, it could equal another reader's id
		return said, reason("user or sub has more than 200 bytes")
	}
	return said, nil
}

// openToken verifies a token with the keys selected by its kid, or with all keys if it has no kid.
func openToken(parsed *jwt.JSONWebToken, keys []access.PublicKey) (said tokenClaims, ok bool) {
	header := parsed.Headers[0]
	for _, k := range keys {
		key, algorithm, err := k.Parse()
		if err != nil || algorithm != header.Algorithm || header.KeyID != "" && k.ID != "" && header.KeyID != k.ID {
			continue
		}
		said = tokenClaims{}
		if parsed.Claims(key, &said) == nil {
			return said, true
		}
	}
	return tokenClaims{}, false
}

// showToken shows a page that posts the token from its URL's fragment as a form.
func (s *Service) showToken(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if site.Mode != access.JWT {
		return nothingHere()
	}
	return s.page.write(w, r, http.StatusOK, view{Look: site.Look(r.Context()), Base: site.Base, Kind: "token"})
}

// handoffWay returns the URL of the organization's application, with the URL to return to.
func handoffWay(a access.Settings, next string) string {
	u, err := url.Parse(a.Handoff.LoginURL)
	if err != nil || a.Mode != access.JWT {
		return ""
	}
	q := u.Query()
	q.Set("next", next)
	u.RawQuery = q.Encode()
	return u.String()
}
