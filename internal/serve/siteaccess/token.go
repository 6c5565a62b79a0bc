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

// The organization's own application hands its users over with a signed token, which the browser sends in a form, or
// which a page here takes from the address's fragment. Neither is in a log or in the history of a proxy.
const (
	tokenPath     = loginPath + "/jwt"
	maxToken      = 16 << 10         // bytes
	maxTokenLife  = 10 * time.Minute // from now until exp
	tokenLeeway   = time.Minute      // clocks differ
	maxTokenID    = 200              // bytes
	triesOfTokens = 60               // wrong tokens, or codes of providers, from one network
)

// tokenClaims are what a token says. exp, jti and aud are required.
type tokenClaims struct {
	jwt.Claims
	User    string          `json:"user"` // "" = sub
	Groups  []string        `json:"groups"`
	Content json.RawMessage `json:"content"` // values of the reader for pages of the site: an object
}

// reader returns what identifies the reader.
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

const maxText = 200 // bytes of what identifies a reader

// reason is why a token is refused, for the operator's log. It has nothing of the token.
type reason string

func (r reason) Error() string { return string(r) }

// verifyToken checks signature and claims. The algorithm is the key's: what the token's header names only has to be it.
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
		return said, reason("no key of the site fits its signature")
	case said.Expiry == nil || said.Expiry.Time().Before(now.Add(-tokenLeeway)):
		return said, reason("expired, or without exp")
	case said.Expiry.Time().After(now.Add(maxTokenLife + tokenLeeway)):
		return said, reason("exp is more than ten minutes ahead")
	case said.NotBefore != nil && said.NotBefore.Time().After(now.Add(tokenLeeway)),
		said.IssuedAt != nil && said.IssuedAt.Time().After(now.Add(tokenLeeway)):
		return said, reason("not valid yet")
	case !said.Audience.Contains(host):
		return said, reason("aud is not this host")
	case h.Issuer != "" && said.Issuer != h.Issuer:
		return said, reason("iss is another one")
	case said.ID == "" || len(said.ID) > maxTokenID:
		return said, reason("without jti, or with a long one")
	case len(said.reader()) > maxText: // cut short, it could be that of another reader
		return said, reason("user or sub has more than 200 bytes")
	}
	return said, nil
}

// openToken verifies a token with the keys that it can be signed with: those with its kid, or all if it names none.
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

// showToken is a page that sends the token of its address's fragment as a form.
func (s *Service) showToken(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if site.Mode != access.JWT {
		return nothingHere()
	}
	return s.page.write(w, r, http.StatusOK, view{Look: site.Look(r.Context()), Base: site.Base, Kind: "token"})
}

// handoffWay leads to the organization's application, with the address to come back to.
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
