package siteaccess

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Sign-in with a SAML provider: the browser is redirected to the provider and returns with a form posted by the
// provider's page. Browsers do not send SameSite=Lax cookies with a form from another site, so the first response is
// a page of this site that posts the same form again, this time with the cookie.
const (
	samlPath     = loginPath + "/saml" // followed by the provider's name: starts a sign-in
	samlACS      = "/acs"              // suffix: receives the provider's response
	samlMetadata = "/metadata"         // suffix: returns the site's metadata for the provider

	maxSAMLForm = 2 * saml.MaxResponse // bytes; allows for base64 and form encoding
	// maxAssertionLife is how long used assertions are remembered. The cookie that an assertion requires expires
	// sooner.
	maxAssertionLife = 24 * time.Hour
)

// samlForm is a response posted by a browser.
type samlForm struct{ Action, Response, RelayState string }

func (s *Service) newSAML(p access.Provider) *saml.Provider {
	return saml.New(saml.Options{Metadata: p.SAML.Metadata, MetadataURL: p.SAML.MetadataURL,
		EmailAttribute: p.SAML.EmailAttribute, NameAttribute: p.SAML.NameAttribute,
		GroupsAttribute: p.SAML.GroupsAttribute, HTTP: s.Outbound, Now: s.Now})
}

// endpoint returns the entity id and URL by which the provider knows the site. Like sessions, they depend on the host.
func (s *Service) endpoint(r *http.Request, site siteapi.Protected, p access.Provider) saml.Endpoint {
	base := s.address(r, site) + samlPath + "/" + url.PathEscape(p.Name)
	out := saml.Endpoint{EntityID: p.SAML.EntityID, ACS: base + samlACS}
	if out.EntityID == "" {
		out.EntityID = base + samlMetadata
	}
	return out
}

// serveSAML handles the paths of SAML providers.
func (s *Service) serveSAML(w http.ResponseWriter, r *http.Request, site siteapi.Protected, read bool) error {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, samlPath+"/"), "/")
	if rest != "" {
		rest = "/" + rest
	}
	if rest == samlACS && !read {
		return s.takeSAML(w, r, site, name)
	}
	if !read || rest != "" && rest != samlMetadata {
		return nothingHere()
	}
	a, err := s.settings(r.Context(), site)
	if err != nil {
		return err
	}
	rules, provider, ok := s.saml.find(a, name)
	if !ok {
		return nothingHere()
	}
	if rest == samlMetadata {
		return s.writeMetadata(w, r, s.endpoint(r, site, rules))
	}
	return s.beginSAML(w, r, site, a, rules, provider)
}

func (s *Service) writeMetadata(w http.ResponseWriter, r *http.Request, e saml.Endpoint) error {
	text, err := e.Metadata()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/samlmetadata+xml; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // fails only if the client has disconnected
	}
	return nil
}

// beginSAML redirects a browser to a provider, and stores a secret in a cookie that the browser must return with.
func (s *Service) beginSAML(w http.ResponseWriter, r *http.Request, site siteapi.Protected, a access.Settings,
	rules access.Provider, provider *saml.Provider) error {
	if err := s.checkTransport(r); err != nil {
		return err
	}
	begun := start{Secret: account.NewToken(s.Rand), Next: safeNext(r.URL.Query().Get("next")),
		Until: s.Now().Add(startLife), Provider: rules.Name, Version: a.Version, Nonce: account.NewToken(s.Rand)}
	address, err := provider.Begin(r.Context(), s.endpoint(r, site, rules), requestID(begun), begun.Secret)
	if err != nil {
		return err
	}
	s.setCookie(w, r, site, startCookie, s.seal(forStart, owner(site.ProjectID, site.Host), begun), int(startLife.Seconds()))
	redirect(w, address)
	return nil
}

// requestID returns the id of the request for a sign-in. XML ids start with a letter or an underscore.
func requestID(begun start) string { return "_" + begun.Nonce }

// takeSAML receives a response: first from the provider's page, then from ours.
func (s *Service) takeSAML(w http.ResponseWriter, r *http.Request, site siteapi.Protected, name string) error {
	if err := s.checkTransport(r); err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "invalid_form", "The form could not be read.").WithCause(err)
	}
	if site.Mode != access.SAML {
		return nothingHere()
	}
	form := samlForm{Action: site.Base + r.URL.Path, Response: r.PostForm.Get("SAMLResponse"), RelayState: r.PostForm.Get("RelayState")}
	if r.PostForm.Get("again") == "" {
		return s.page.write(w, r, http.StatusOK, view{Look: site.Look(r.Context()), Kind: "saml", SAML: form})
	}
	if err := s.cross.Check(r); err != nil {
		return otherSite()
	}
	return s.finishSAML(w, r, site, name, form)
}

// finishSAML signs in a reader who returned from a provider.
func (s *Service) finishSAML(w http.ResponseWriter, r *http.Request, site siteapi.Protected, name string,
	form samlForm) error {
	begun, ok := s.takeStart(w, r, site)
	if !ok || begun.Provider != name || begun.Nonce == "" ||
		subtle.ConstantTimeCompare([]byte(begun.Secret), []byte(form.RelayState)) != 1 {
		return startOver()
	}
	a, err := s.settings(r.Context(), site)
	if err != nil {
		return err
	}
	rules, provider, ok := s.saml.find(a, name)
	if !ok || a.Version != begun.Version {
		return startOver()
	}
	from := s.place(r)
	if err := s.tokens.Take(r.Context(), from); err != nil {
		return err
	}
	said, err := provider.Finish(r.Context(), s.endpoint(r, site, rules), requestID(begun), form.Response)
	if err != nil {
		s.Log.WarnContext(r.Context(), "reader sign-in with the identity provider failed", "project", site.ProjectID,
			"provider", name, "error", err)
		return err
	}
	s.tokens.GiveBack(r.Context(), from)
	if err := s.useOnce(r.Context(), "reader assertion", account.TokenHash(a.ProjectID+" "+said.Issuer+" "+said.ID),
		min(said.Expires.Sub(s.Now()), maxAssertionLife)); err != nil {
		return err
	}
	// The address counts as verified: SAML has no claim for that, and the organization chose the provider.
	return s.admit(w, r, site, rules, begun, identified{
		access.Session{Method: access.SAML, Subject: said.Subject, Groups: said.Groups}, said.Email,
		providerValues(said.Name, "", "", said.Email, nil)})
}
