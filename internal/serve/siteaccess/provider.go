package siteaccess

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Sign-in with the organization's identity provider: the browser is redirected to the provider and back, using the
// authorization code flow of OpenID Connect with PKCE.
const (
	oidcPath   = loginPath + "/oidc" // followed by the provider's name
	oidcReturn = loginPath + "/callback"
)

// providers caches providers of one kind, with their configuration. A cached provider belongs to one version of a
// site's settings and is never used for another.
type providers[P any] struct {
	mode  access.Mode
	make  func(access.Provider) *P
	mu    sync.Mutex
	known map[string]*P // guarded by mu
}

const maxProviders = 1000 // cache size; beyond it, configurations are fetched again

func (p *providers[P]) find(a access.Settings, name string) (access.Provider, *P, bool) {
	i := slices.IndexFunc(a.Providers, func(one access.Provider) bool { return one.Name == name })
	if i < 0 || a.Mode != p.mode {
		return access.Provider{}, nil, false
	}
	key := a.ProjectID + " " + strconv.FormatInt(a.Version, 10) + " " + name
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.known[key]
	if found == nil {
		if len(p.known) >= maxProviders {
			clear(p.known)
		}
		found = p.make(a.Providers[i])
		p.known[key] = found
	}
	return a.Providers[i], found, true
}

func (s *Service) newOIDC(p access.Provider) *oidc.Provider {
	return oidc.New(oidc.Options{Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret, Scopes: p.Scopes,
		GroupsClaim: p.GroupsClaim, HTTP: s.Outbound, Now: s.Now})
}

// settingsWithSecrets returns the settings with the providers' decrypted client secrets.
func (s *Service) settingsWithSecrets(ctx context.Context, site siteapi.Protected) (access.Settings, error) {
	a, err := s.settings(ctx, site)
	if err == nil {
		_, err = a.OpenSecrets(s.Masters)
	}
	return a, err
}

// beginOIDC redirects a browser to a provider, and stores a secret in a cookie that the browser must return with.
func (s *Service) beginOIDC(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if err := s.checkTransport(r); err != nil {
		return err
	}
	a, err := s.settingsWithSecrets(r.Context(), site)
	if err != nil {
		return err
	}
	_, provider, ok := s.oidc.find(a, strings.TrimPrefix(r.URL.Path, oidcPath+"/"))
	if !ok {
		return nothingHere()
	}
	begun := start{Secret: account.NewToken(s.Rand), Next: safeNext(r.URL.Query().Get("next")),
		Until: s.Now().Add(startLife), Provider: strings.TrimPrefix(r.URL.Path, oidcPath+"/"), Version: a.Version,
		Nonce: account.NewToken(s.Rand), Verifier: account.NewToken(s.Rand) + account.NewToken(s.Rand)}
	address, err := provider.Begin(r.Context(), s.redirectURL(r, site), begun.Secret, begun.Nonce, begun.Verifier)
	if err != nil {
		return err
	}
	s.setCookie(w, r, site, startCookie, s.seal(forStart, owner(site.ProjectID, site.Host), begun), int(startLife.Seconds()))
	redirect(w, address)
	return nil
}

// redirectURL returns the redirect URL that must be registered at the provider.
func (s *Service) redirectURL(r *http.Request, site siteapi.Protected) string {
	return s.address(r, site) + oidcReturn
}

// address returns the site's URL for its readers, without a trailing slash.
func (s *Service) address(r *http.Request, site siteapi.Protected) string {
	origin, _ := s.Proxies.Reached(r)
	if s.SiteURL != nil {
		origin = s.SiteURL(site.Host)
	}
	return strings.TrimRight(origin, "/") + site.Base
}

// finishOIDC signs in a reader who returned from a provider.
func (s *Service) finishOIDC(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	begun, ok := s.takeStart(w, r, site)
	q := r.URL.Query()
	if !ok || begun.Provider == "" ||
		subtle.ConstantTimeCompare([]byte(begun.Secret), []byte(q.Get("state"))) != 1 ||
		q.Get("code") == "" && q.Get("error") == "" {
		return startOver()
	}
	if q.Get("error") != "" {
		return oidc.Denied(q.Get("error"))
	}
	a, err := s.settingsWithSecrets(r.Context(), site)
	if err != nil {
		return err
	}
	rules, provider, ok := s.oidc.find(a, begun.Provider)
	if !ok || a.Version != begun.Version {
		return startOver()
	}
	// RFC 9207: with several providers, one provider must not receive a code issued by another.
	if iss := q.Get("iss"); iss != "" && iss != rules.Issuer {
		return startOver()
	}
	from := s.place(r)
	if err := s.tokens.Take(r.Context(), from); err != nil { // each made-up code causes a request to the provider
		return err
	}
	who, err := provider.Finish(r.Context(), s.redirectURL(r, site), q.Get("code"), begun.Nonce, begun.Verifier)
	if err != nil {
		s.Log.WarnContext(r.Context(), "reader sign-in with the identity provider failed", "project", site.ProjectID,
			"provider", begun.Provider, "error", err)
		return err
	}
	s.tokens.GiveBack(r.Context(), from)
	email := ""
	if who.Verified {
		email = who.Email
	}
	return s.admit(w, r, site, rules, begun, identified{
		access.Session{Method: access.OIDC, Subject: who.Subject, Groups: who.Groups}, email,
		providerValues(who.Name, who.GivenName, who.FamilyName, who.Email, who.Content)})
}

// identified contains a provider's data about a reader.
type identified struct {
	session access.Session  // only method, subject and groups are set
	email   string          // "" unless verified by the provider
	values  json.RawMessage // available to the site's pages
}

// admit signs in a reader identified by a provider, if the provider's rules permit it.
func (s *Service) admit(w http.ResponseWriter, r *http.Request, site siteapi.Protected, rules access.Provider, begun start,
	who identified) error {
	if !rules.Admits(who.session.Groups, who.email) {
		return fault.New(fault.Forbidden, "reader_not_admitted", "Your account may not read this site.").
			WithHint("Ask the owner of the site, or sign in with another account.")
	}
	in := who.session
	in.Version, in.Subject = begun.Version, begun.Provider+" "+in.Subject
	in.Groups = boundGroups(rules.Grant(in.Groups))
	if err := s.open(w, r, site, in, who.values); err != nil {
		return err
	}
	redirect(w, site.Base+safeNext(begun.Next))
	return nil
}

// Limits for a reader's data from a provider or an application.
const (
	maxGroups = 500
	maxGroup  = 200 // bytes
)

// boundGroups drops groups beyond the limits, so that a token cannot fill the database. The result is sorted.
func boundGroups(groups []string) []string {
	out := slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return g == "" || len(g) > maxGroup })
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxGroups)]
}

// providerWays returns the sign-in options for a site's providers.
func providerWays(a access.Settings, base, next string) (out []way) {
	path, ok := map[access.Mode]string{access.OIDC: oidcPath, access.SAML: samlPath}[a.Mode]
	if !ok {
		return nil
	}
	for _, p := range a.Providers {
		out = append(out, way{Label: p.Label, Address: base + withNext(path+"/"+url.PathEscape(p.Name), next)})
	}
	return out
}

func (s *Service) seal(purpose, owner string, v any) string {
	return sealbox.Seal(s.Masters[0], s.Rand, purpose, owner, v)
}
