package forge

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
)

// Hosts connects to code hosts on behalf of the people who set them up. All fields except Servers are required.
// Requests are not retried, because someone is waiting for the response.
type Hosts struct {
	Servers Servers
	HTTP    *http.Client           // must check addresses: the person who created the credential chose the host
	Trusts  func(host string) bool // reports whether the operator trusts a host, so that plain HTTP is permitted
	Tokens  *Tokens
	Now     func() time.Time
}

func (h Hosts) options(c Credential) Options {
	return Options{Servers: h.Servers, Credential: c, HTTP: h.HTTP, Trusts: h.Trusts, Tokens: h.Tokens, Now: h.Now}
}

// Account returns the code host at a credential's base URL. It sends no request.
func (h Hosts) Account(base string, c Credential) (connect.Account, error) {
	at, err := h.locate(base)
	if err != nil {
		return nil, err
	}
	opt := h.options(c)
	if err := opt.check(at); err != nil {
		return nil, err
	}
	return driverOf(at.Kind).account(opt, at, opt.key()), nil
}

// Place returns a repository, for checking rights and managing webhooks. It sends no request.
func (h Hosts) Place(repository string, c Credential) (connect.Place, error) {
	opt := h.options(c)
	opt.Repository, opt.hooks = repository, true
	found, err := open(opt)
	return found.place, err
}

// NoCodeHost returns the fault for a project whose source is on this server.
func NoCodeHost() error {
	return fault.New(fault.Invalid, "no_code_host",
		"The project's source is on this server: there is no code host that could report changes.").WithField("source")
}

// KindAt returns the kind of the code host at a base URL.
func (h Hosts) KindAt(base string) (Kind, error) {
	at, err := h.locate(base)
	return at.Kind, err
}

// locate returns the server at a base URL, and the owner of the repositories below it: the first part of the path,
// if any.
func (h Hosts) locate(base string) (place, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return place{}, fault.New(fault.Invalid, "bad_credential",
			"Only a credential for an https address can use the API of a code host.").
			WithHint("Store a token for the code host's https address.")
	}
	server, err := h.Servers.Find(Repository{Scheme: u.Scheme, Host: strings.ToLower(u.Hostname()), Port: u.Port()})
	if err != nil {
		return place{}, err
	}
	path := strings.Trim(u.Path, "/")
	if api, err := url.Parse(server.API); err == nil && api.Host == u.Host {
		prefix := strings.Trim(strings.TrimSuffix(api.Path, driverOf(server.Kind).apiPath), "/")
		if prefix != "" && (path == prefix || strings.HasPrefix(path, prefix+"/")) {
			path = strings.Trim(strings.TrimPrefix(path, prefix), "/")
		}
	}
	path = strings.TrimPrefix(path, driverOf(server.Kind).clonePrefix)
	owner, _, _ := strings.Cut(path, "/")
	return place{Server: server, owner: owner}, nil
}

// CreatedApp is an App that GitHub created from a manifest; its text form contains no secret.
type CreatedApp = github.Created

// ConvertApp fetches an App that GitHub created from a manifest. code is what the GitHub server at the base URL sends
// after it has created the App.
func (h Hosts) ConvertApp(ctx context.Context, base, code string) (CreatedApp, error) {
	at, err := h.locate(base)
	if err != nil {
		return CreatedApp{}, err
	}
	if at.Kind != GitHub || !strings.HasPrefix(at.API, "https://") && !h.Trusts(hostOf(at.API)) {
		return CreatedApp{}, NotGitHub()
	}
	return github.Convert(ctx, github.Options{API: at.API, HTTP: h.HTTP, Now: h.Now}, code)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// NotGitHub returns the fault for an address where no App can be created.
func NotGitHub() error {
	return fault.New(fault.Invalid, "invalid_field", "url must be the https address of GitHub or a GitHub Enterprise server.").
		WithField("url").
		WithHint("The operator can add a GitHub Enterprise server with forge.hosts, such as git.example.com=github.")
}
