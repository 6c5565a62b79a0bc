package siteaccess

import (
	"context"
	"crypto/subtle"
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

// Readers whom an identity provider of the organization identifies go there from the site and come back to it, with
// the code flow of OpenID Connect and PKCE.
const (
	oidcPath   = loginPath + "/oidc" // followed by the provider's name
	oidcReturn = loginPath + "/callback"
)

// providers keeps what providers said about themselves. A provider of one version of a site's settings is never used
// for another.
type providers struct {
	mu    sync.Mutex
	known map[string]*oidc.Provider // guarded by mu
}

const maxProviders = 1000 // kept at once; beyond it they are asked again

func (p *providers) find(a access.Settings, name string, make func(access.Provider) *oidc.Provider) (access.Provider,
	*oidc.Provider, bool) {
	i := slices.IndexFunc(a.Providers, func(one access.Provider) bool { return one.Name == name })
	if i < 0 || a.Mode != access.OIDC {
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
		found = make(a.Providers[i])
		p.known[key] = found
	}
	return a.Providers[i], found, true
}

func (s *Service) newProvider(p access.Provider) *oidc.Provider {
	return oidc.New(oidc.Options{Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret, Scopes: p.Scopes,
		GroupsClaim: p.GroupsClaim, HTTP: s.Outbound, Now: s.Now})
}

// settingsWithSecrets is settings with the providers' client secrets.
func (s *Service) settingsWithSecrets(ctx context.Context, site siteapi.Protected) (access.Settings, error) {
	a, err := s.settings(ctx, site)
	if err == nil {
		_, err = a.OpenSecrets(s.Masters)
	}
	return a, err
}

// beginOIDC sends a browser to a provider, with a secret in a cookie that it must bring back.
func (s *Service) beginOIDC(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if err := s.checkTransport(r); err != nil {
		return err
	}
	a, err := s.settingsWithSecrets(r.Context(), site)
	if err != nil {
		return err
	}
	_, provider, ok := s.providers.find(a, strings.TrimPrefix(r.URL.Path, oidcPath+"/"), s.newProvider)
	if !ok {
		return nothingHere()
	}
	begun := start{Secret: account.NewToken(s.Rand), Next: safeNext(r.URL.Query().Get("next")),
		Until: s.Now().Add(startLife), Provider: strings.TrimPrefix(r.URL.Path, oidcPath+"/"), Version: a.Version,
		Nonce: account.NewToken(s.Rand), Verifier: account.NewToken(s.Rand) + account.NewToken(s.Rand)}
	address, err := provider.Begin(r.Context(), s.redirectURL(site), begun.Secret, begun.Nonce, begun.Verifier)
	if err != nil {
		return err
	}
	s.setCookie(w, r, startCookie, s.seal(forStart, owner(site.ProjectID, site.Host), begun), int(startLife.Seconds()))
	redirect(w, address)
	return nil
}

// redirectURL is what the provider must know as an address of the client.
func (s *Service) redirectURL(site siteapi.Protected) string {
	return strings.TrimRight(s.SiteURL(site.Host), "/") + oidcReturn
}

// finishOIDC signs a reader in whom a provider sent back.
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
	rules, provider, ok := s.providers.find(a, begun.Provider, s.newProvider)
	if !ok || a.Version != begun.Version {
		return startOver()
	}
	// RFC 9207: a provider of several must not get the code that another one gave the browser.
	if iss := q.Get("iss"); iss != "" && iss != rules.Issuer {
		return startOver()
	}
	from := s.place(r)
	if err := s.tokens.Take(r.Context(), from); err != nil { // each code that somebody makes up is a request to the provider
		return err
	}
	who, err := provider.Finish(r.Context(), s.redirectURL(site), q.Get("code"), begun.Nonce, begun.Verifier)
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
	if !rules.Admits(who.Groups, email) {
		return fault.New(fault.Forbidden, "reader_not_admitted", "Your account may not read this site.").
			WithHint("Ask the owner of the site, or sign in with another account.")
	}
	in := access.Session{Version: a.Version, Method: access.OIDC, Subject: begun.Provider + " " + who.Subject,
		Groups: boundGroups(rules.Grant(who.Groups))}
	if err := s.open(w, r, site, in, providerValues(who)); err != nil {
		return err
	}
	redirect(w, safeNext(begun.Next))
	return nil
}

// Bounds of what a provider or an application says about a reader.
const (
	maxGroups = 500
	maxGroup  = 200 // bytes
)

// boundGroups drops what is too long or too much, so that a token cannot fill the database; sorted.
func boundGroups(groups []string) []string {
	out := slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return g == "" || len(g) > maxGroup })
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxGroups)]
}

// providerWays lists the providers of a site for its sign-in page.
func providerWays(a access.Settings, next string) (out []way) {
	if a.Mode != access.OIDC {
		return nil
	}
	for _, p := range a.Providers {
		out = append(out, way{Label: p.Label, Address: withNext(oidcPath+"/"+url.PathEscape(p.Name), next)})
	}
	return out
}

func (s *Service) seal(purpose, owner string, v any) string {
	return sealbox.Seal(s.Masters[0], s.Rand, purpose, owner, v)
}
