package oidc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

const (
	// requestLife is the timeout of one request to the provider, including the response body.
	requestLife = 10 * time.Second
	// callLife is the time limit of Begin and Finish, which make up to four requests.
	callLife = 20 * time.Second
	// discoveryLife is how long the discovery document is cached.
	discoveryLife = 24 * time.Hour
)

// Options configures one provider. Issuer, ClientID and Now are required.
type Options struct {
	Issuer       string // exactly as the provider writes it, including a trailing slash
	ClientID     string
	ClientSecret string   // "" for a public client
	Scopes       []string // in addition to openid email profile
	GroupsClaim  string   // default "groups"
	// only its transport is used; default http.DefaultTransport. The operator chooses the issuer, so it is trusted
	HTTP *http.Client
	Now  func() time.Time // used to check expiry
}

// Check rejects invalid settings without contacting the provider.
func (o Options) Check() error {
	refuse := func(field, public string) error {
		return fault.New(fault.Invalid, "invalid_oidc_setting", public).WithField(field)
	}
	u, err := url.Parse(o.Issuer)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && u.Scheme != "http" {
		return refuse("issuer", "The issuer must be an https:// address without user, query or fragment.")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return refuse("issuer", "The issuer must be an https:// address; http:// is only allowed on this machine.")
	}
	if o.ClientID == "" {
		return refuse("clientId", "A client id is required: the one that the provider issued for this server.")
	}
	return nil
}

func loopback(host string) bool {
	host = hostname.Clean(host)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Provider is one identity provider. It is safe for concurrent use.
type Provider struct {
	opt   Options
	http  *http.Client
	turn  chan struct{} // held during discovery; other callers wait for the result
	known atomic.Pointer[described]
}

// described is the provider's configuration.
type described struct {
	provider *gooidc.Provider
	verifier *gooidc.IDTokenVerifier
	endpoint oauth2.Endpoint
	until    time.Time
}

// New returns a provider without contacting it. It is contacted on first use, and again after a failure.
func New(o Options) *Provider {
	if o.GroupsClaim == "" {
		o.GroupsClaim = "groups"
	}
	next := http.DefaultTransport
	if o.HTTP != nil && o.HTTP.Transport != nil {
		next = o.HTTP.Transport
	}
	return &Provider{
		opt:  o,
		http: &http.Client{Transport: bounded{next: next, life: requestLife}, CheckRedirect: idpfault.StayHere},
		turn: make(chan struct{}, 1),
	}
}

// describe returns the provider's configuration, fetching it if needed.
func (p *Provider) describe(ctx context.Context) (*described, error) {
	if d := p.known.Load(); d.fresh(p.opt.Now()) {
		return d, nil
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, &idpfault.Silence{Err: ctx.Err()}
	}
	if d := p.known.Load(); d.fresh(p.opt.Now()) {
		return d, nil
	}
	d, err := p.discover(ctx)
	if err != nil {
		return nil, fmt.Errorf("discover %s: %w", p.opt.Issuer, err)
	}
	p.known.Store(d)
	return d, nil
}

func (d *described) fresh(now time.Time) bool { return d != nil && now.Before(d.until) }

func (p *Provider) discover(ctx context.Context) (*described, error) {
	if err := p.opt.Check(); err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	found, err := gooidc.NewProvider(gooidc.ClientContext(ctx, p.http), p.opt.Issuer)
	if err != nil {
		if idpfault.Is[*idpfault.Silence](err) {
			return nil, err
		}
		return nil, &idpfault.Mismatch{Err: err}
	}
	var said struct {
		Auth    string   `json:"authorization_endpoint"`
		Token   string   `json:"token_endpoint"`
		Keys    string   `json:"jwks_uri"`
		Info    string   `json:"userinfo_endpoint"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
		Algs    []string `json:"id_token_signing_alg_values_supported"`
	}
	if err := found.Claims(&said); err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	err = errors.Join(p.address("authorization_endpoint", said.Auth), p.address("token_endpoint", said.Token),
		p.address("jwks_uri", said.Keys))
	if said.Info != "" {
		err = errors.Join(err, p.address("userinfo_endpoint", said.Info))
	}
	if err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	d := &described{provider: found, endpoint: found.Endpoint(), until: p.opt.Now().Add(discoveryLife)}
	d.endpoint.AuthStyle = style(p.opt.ClientSecret, said.Methods)
	// Keys are fetched later, on behalf of later callers, so they must not use this call's context.
	keys := gooidc.NewRemoteKeySet(gooidc.ClientContext(context.Background(), p.http), said.Keys)
	d.verifier = gooidc.NewVerifier(p.opt.Issuer, tellingKeys{keys},
		&gooidc.Config{ClientID: p.opt.ClientID, Now: p.opt.Now, SupportedSigningAlgs: publicKeyAlgorithms(said.Algs)})
	return d, nil
}

// address validates a URL from the provider, to which the browser or a secret will be sent. A provider that uses
// https must not switch to plain http.
func (p *Provider) address(name, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%s is not an address", name)
	}
	if u.Scheme == "http" {
		if issuer, err := url.Parse(p.opt.Issuer); err != nil || issuer.Scheme != "http" {
			return fmt.Errorf("%s is not https", name)
		}
	}
	return nil
}

// style selects how the client authenticates. Trying both ways, as the library would, may invalidate the code.
func style(secret string, methods []string) oauth2.AuthStyle {
	if secret == "" || len(methods) > 0 && !slices.Contains(methods, "client_secret_basic") &&
		slices.Contains(methods, "client_secret_post") {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}

// publicKeyAlgorithms keeps only the algorithms that sign with the provider's private key. This excludes "none" and the
// algorithms that use the client secret. Every provider must support RS256, so that is the default.
func publicKeyAlgorithms(said []string) []string {
	strong := []string{gooidc.RS256, gooidc.RS384, gooidc.RS512, gooidc.ES256, gooidc.ES384, gooidc.ES512,
		gooidc.PS256, gooidc.PS384, gooidc.PS512, gooidc.EdDSA}
	kept := slices.DeleteFunc(slices.Clone(said), func(a string) bool { return !slices.Contains(strong, a) })
	if len(kept) == 0 {
		return []string{gooidc.RS256}
	}
	return kept
}
