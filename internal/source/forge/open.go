package forge

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// App is a GitHub App; its text form contains no secret.
type App = github.App

// Tokens requests and caches the tokens of GitHub Apps.
type Tokens = github.Tokens

// Use describes what an App's token is used for.
type Use = github.Use

// GitUser is the user name with which git sends an App's token as the password.
const GitUser = "x-access-token"

// NewTokens returns an empty token cache. client must check addresses.
func NewTokens(client *http.Client, now func() time.Time) *Tokens {
	return github.NewTokens(client, now)
}

// Credential authenticates to a code host: a user and password or token, or a GitHub App. Its text form contains no
// secret.
type Credential struct {
	User, Password string
	App            *App // nil = use user and password
}

// String hides the credential (K9).
func (Credential) String() string { return "(hidden)" }

// GoString hides the credential.
func (c Credential) GoString() string { return c.String() }

// Options configures access to a repository. All fields except Credential and Servers are required; Tokens only
// with an App.
type Options struct {
	Repository string // clone URL
	Servers    Servers
	Credential Credential
	HTTP       *http.Client           // must check addresses: the person who set up the project chose the host
	Trusts     func(host string) bool // reports whether the operator trusts a host, so that plain HTTP is permitted
	Tokens     *Tokens
	Now        func() time.Time

	report bool // only for reports: an App's token gets no write access to the repository
	talk   bool // only for replies: likewise no write access
	read   bool // only for reading: likewise no write access
	hooks  bool // only for webhooks: an App's token gets no read access to the repository
}

// Open returns the code host of a repository. It sends no request. Requests to a busy host are retried up to five
// times, with pauses of up to two minutes.
func Open(opt Options) (pull.Host, error) {
	found, err := open(opt)
	if err != nil {
		return nil, err
	}
	return retryingHost{host: found.host, pause: pause}, nil
}

// OpenReporter returns the code host of a repository for reports about previews. It sends no request. Requests are
// not retried, because callers have a queue.
func OpenReporter(opt Options) (pull.Reporter, error) {
	opt.report = true
	found, err := open(opt)
	return found.reporter, err
}

// OpenDiscussion returns the code host of a repository for replies to people. It sends no request. Requests are not
// retried, because callers have a queue.
func OpenDiscussion(opt Options) (pull.Discussion, error) {
	opt.talk = true
	found, err := open(opt)
	return found.discussion, err
}

// OpenReleases returns access to a repository's releases, which is read-only and, without a credential, limited to
// public repositories. It sends no request. Requests to a busy host are retried like those of Open. If the kind of code
// host has no releases, the fault is no_releases (Invalid).
func OpenReleases(opt Options) (pull.Releases, error) {
	opt.read = true
	found, err := open(opt)
	if err != nil {
		return nil, err
	}
	if found.releases == nil {
		return nil, fault.New(fault.Invalid, "no_releases", "This kind of code host has no releases.")
	}
	return retryingReleases{releases: found.releases, pause: pause}, nil
}

// open selects the driver and opens the repository.
func open(opt Options) (opened, error) {
	at, err := locate(opt.Repository, opt.Servers)
	if err == nil {
		err = opt.check(at)
	}
	if err != nil {
		return opened{}, err
	}
	return driverOf(at.Kind).open(opt, at, opt.key()), nil
}

func (o Options) key() rest.Key {
	return rest.Key{User: o.Credential.User, Password: o.Credential.Password}
}

// check refuses to send a credential to a server for which it is not intended.
func (o Options) check(at place) error {
	if u, err := url.Parse(at.API); err != nil || u.Scheme != "https" && !o.Trusts(u.Hostname()) {
		return fault.New(fault.Invalid, "insecure_repository_url",
			"Plain http is only allowed for code hosts that the operator trusts.").
			WithField("source.repository").
			WithHint("Use https. The operator can allow a host in your own network with --allow-address.")
	}
	if o.Credential.App != nil && at.Kind != GitHub {
		return fault.New(fault.Invalid, "bad_credential",
			"A GitHub App works only with GitHub, not with other code hosts.").WithField("source.credential")
	}
	return nil
}

// token returns the source of GitHub tokens; nil for anonymous access.
func (o Options) token(at place, key rest.Key) func(context.Context) (string, error) {
	switch {
	case o.Credential.App != nil:
		app := *o.Credential.App
		return func(ctx context.Context) (string, error) {
			return o.Tokens.Find(ctx, app, at.API, at.owner, at.name, Use{Write: !o.report && !o.hooks && !o.talk && !o.read, Report: o.report,
				Hooks: o.hooks, Talk: o.talk})
		}
	case key.Token() != "":
		return func(context.Context) (string, error) { return key.Token(), nil }
	}
	return nil
}

// GitToken returns an App's token for fetching from a repository or pushing to it. Git sends it as the password of the
// user GitUser.
func GitToken(ctx context.Context, tokens *Tokens, app App, servers Servers, repository string, use Use) (string,
	error) {
	at, err := locate(repository, servers)
	if err != nil {
		return "", err
	}
	if at.Kind != GitHub || !strings.HasPrefix(at.API, "https://") {
		return "", fault.New(fault.Invalid, "bad_credential",
			"A GitHub App only gives access to repositories on GitHub, over https.").WithField("source.credential")
	}
	return tokens.Find(ctx, app, at.API, at.owner, at.name, use)
}

// place identifies a repository in the API of its server.
type place struct {
	Server
	owner, name string
}

func locate(repository string, servers Servers) (place, error) {
	r, err := ParseRepository(repository)
	if err != nil {
		return place{}, err
	}
	server, err := servers.Find(r)
	if err != nil {
		return place{}, err
	}
	d, path := driverOf(server.Kind), r.Path
	// The clone URLs of a server below a path contain that path too.
	if u, err := url.Parse(server.API); err == nil && r.Scheme != "ssh" {
		prefix := strings.Trim(strings.TrimSuffix(u.Path, d.apiPath), "/")
		if prefix != "" {
			path = strings.TrimPrefix(path, prefix+"/")
		}
		path = strings.TrimPrefix(path, d.clonePrefix)
	}
	cut := strings.LastIndexByte(path, '/')
	if cut <= 0 || !d.groups && strings.Contains(path[:cut], "/") {
		return place{}, noRepository()
	}
	return place{Server: server, owner: path[:cut], name: path[cut+1:]}, nil
}
