package forge

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/bitbucket"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/gitea"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/gitlab"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Kind is the kind of a code host, by its API.
type Kind string

// The kinds.
const (
	GitHub          Kind = "github"
	GitLab          Kind = "gitlab"
	Gitea           Kind = "gitea" // also Forgejo
	Bitbucket       Kind = "bitbucket"
	BitbucketCenter Kind = "bitbucket-data-center"
)

// driver describes one kind of code host.
type driver struct {
	kind        Kind
	alias       string            // alternative name in the operator's list of servers
	hosts       map[string]string // well-known hosts, with the addresses of their APIs
	api         string            // address of the API, if there is only one
	apiPath     string            // path of the API below the server's address
	clonePrefix string            // precedes the owner in the paths of clone URLs
	groups      bool              // an owner may contain slashes: group/subgroup
	editAt      string            // see site.Repository
	issueAt     string

	setup     WebhookSetup // without Kind; zero for a kind that shares another's
	events    []string     // webhook headers, at least one of which is present; none if another kind sends them
	parsePush func(h http.Header, body []byte, secret string) (Push, error)
	parsePull func(h http.Header, body []byte, secret string) (pull.Event, error)
	// parses comments and labels
	parseRemark func(h http.Header, body []byte, secret string) (pull.Remark, error)

	open    func(opt Options, at place, key rest.Key) opened
	account func(opt Options, at place, key rest.Key) connect.Account // place.name is ignored, and owner may be ""
}

// opened is an opened repository as each of the driver interfaces.
type opened struct {
	host       pull.Host
	reporter   pull.Reporter
	discussion pull.Discussion
	place      connect.Place
	releases   pull.Releases // nil = this kind of code host has none
}

// openedAs returns a driver's repository for all interfaces.
func openedAs[T interface {
	pull.Host
	pull.Reporter
	pull.Discussion
	connect.Place
}](h T) opened {
	releases, _ := any(h).(pull.Releases)
	return opened{h, h, h, h, releases}
}

// drivers has one entry per kind. Gitea and Forgejo also send GitHub's headers, so they come before it.
var drivers = []driver{
	{
		kind:  Gitea,
		alias: "forgejo",
		hosts: map[string]string{
			"codeberg.org": "https://codeberg.org/api/v1",
			"gitea.com":    "https://gitea.com/api/v1",
		},
		apiPath: "/api/v1",
		editAt:  "/_edit{file}",
		issueAt: "/issues/new?title={title}&body={text}",
		setup: WebhookSetup{Name: "Gitea, Forgejo", Where: "Settings → Webhooks → Add webhook",
			Set: "Target URL and Secret as above; POST, application/json; pushes, pull requests, pull requests synchronized, and for automations comments and labels."},
		events:      []string{"X-Gitea-Event", "X-Forgejo-Event"},
		parsePush:   gitea.ParsePush,
		parsePull:   gitea.ParsePull,
		parseRemark: gitea.ParseRemark,
		open: func(opt Options, at place, key rest.Key) opened {
			return openedAs(gitea.New(giteaOptions(opt, at, key)))
		},
		account: func(opt Options, at place, key rest.Key) connect.Account {
			return gitea.NewAccount(giteaOptions(opt, at, key))
		},
	},
	{
		kind: GitLab,
		hosts: map[string]string{
			"gitlab.com":        "https://gitlab.com/api/v4",
			"altssh.gitlab.com": "https://gitlab.com/api/v4",
		},
		apiPath: "/api/v4",
		groups:  true,
		editAt:  "/-/edit{file}",
		issueAt: "/-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={text}",
		setup: WebhookSetup{Name: "GitLab", Where: "Settings → Webhooks → Add new webhook",
			Set: "URL and Secret token as above; tick Push events, Tag push events and Merge request events, and for automations Comments and Issues events."},
		events:      []string{"X-Gitlab-Event"},
		parsePush:   gitlab.ParsePush,
		parsePull:   gitlab.ParsePull,
		parseRemark: gitlab.ParseRemark,
		open: func(opt Options, at place, key rest.Key) opened {
			return openedAs(gitlab.New(gitlabOptions(opt, at, key)))
		},
		account: func(opt Options, at place, key rest.Key) connect.Account {
			return gitlab.NewAccount(gitlabOptions(opt, at, key))
		},
	},
	{
		kind: GitHub,
		hosts: map[string]string{
			"github.com":     "https://api.github.com",
			"www.github.com": "https://api.github.com",
			"ssh.github.com": "https://api.github.com",
		},
		apiPath: "/api/v3",
		editAt:  "/edit{file}",
		issueAt: "/issues/new?title={title}&body={text}",
		setup: WebhookSetup{Name: "GitHub", Where: "Settings → Webhooks → Add webhook",
			Set: "Payload URL and Secret as above; content type application/json; events: pushes and pull requests, and for automations issues, issue comments and pull request review comments."},
		events:      []string{"X-GitHub-Event"},
		parsePush:   github.ParsePush,
		parsePull:   github.ParsePull,
		parseRemark: github.ParseRemark,
		open: func(opt Options, at place, key rest.Key) opened {
			return openedAs(github.New(githubOptions(opt, at, key)))
		},
		account: func(opt Options, at place, key rest.Key) connect.Account {
			if opt.Credential.App != nil {
				return github.NewAppAccount(githubOptions(opt, at, key))
			}
			return github.NewUserAccount(githubOptions(opt, at, key))
		},
	},
	{
		kind: Bitbucket,
		hosts: map[string]string{
			"bitbucket.org":        "https://api.bitbucket.org/2.0",
			"altssh.bitbucket.org": "https://api.bitbucket.org/2.0",
		},
		api:     "https://api.bitbucket.org/2.0",
		editAt:  "/src{file}?mode=edit",
		issueAt: "/issues/new?title={title}",
		setup: WebhookSetup{Name: "Bitbucket", Where: "Repository settings → Webhooks → Add webhook",
			Set: "URL and Secret as above; triggers: repository push, pull request created, updated, merged and declined, and for automations comments created."},
		events:      []string{"X-Event-Key"}, // also for BitbucketCenter
		parsePush:   bitbucket.ParsePush,
		parsePull:   bitbucket.ParsePull,
		parseRemark: bitbucket.ParseRemark,
		open: func(opt Options, at place, key rest.Key) opened {
			return openedAs(bitbucket.NewCloud(bitbucketOptions(opt, at, key)))
		},
		account: func(opt Options, at place, key rest.Key) connect.Account {
			return bitbucket.NewCloudAccount(bitbucketOptions(opt, at, key))
		},
	},
	{
		kind:        BitbucketCenter,
		apiPath:     "/rest/api/1.0",
		clonePrefix: "scm/",
		open: func(opt Options, at place, key rest.Key) opened {
			return openedAs(bitbucket.NewCenter(bitbucketOptions(opt, at, key)))
		},
		account: func(opt Options, at place, key rest.Key) connect.Account {
			return bitbucket.NewCenterAccount(bitbucketOptions(opt, at, key))
		},
	},
}

func giteaOptions(opt Options, at place, key rest.Key) gitea.Options {
	return gitea.Options{API: at.API, Owner: at.owner, Name: at.name, HTTP: opt.HTTP, Key: key, Now: opt.Now}
}

func gitlabOptions(opt Options, at place, key rest.Key) gitlab.Options {
	return gitlab.Options{API: at.API, Path: at.owner + "/" + at.name, HTTP: opt.HTTP, Key: key, Now: opt.Now}
}

func githubOptions(opt Options, at place, key rest.Key) github.Options {
	return github.Options{API: at.API, Owner: at.owner, Name: at.name, HTTP: opt.HTTP, Token: opt.token(at, key),
		App: opt.Credential.App, Checks: opt.Credential.App != nil, Now: opt.Now}
}

func bitbucketOptions(opt Options, at place, key rest.Key) bitbucket.Options {
	return bitbucket.Options{API: at.API, Owner: at.owner, Name: at.name, HTTP: opt.HTTP, Key: key, Now: opt.Now}
}

// label returns the code host's display name.
func (d driver) label() string {
	if d.setup.Name != "" {
		return d.setup.Name
	}
	return "Bitbucket Data Center"
}

// driverOf returns the driver of a kind, which must be one of the constants.
func driverOf(kind Kind) driver {
	return drivers[slices.IndexFunc(drivers, func(d driver) bool { return d.kind == kind })]
}

// eventDriver returns the driver of the code host that sent a webhook request.
func eventDriver(h http.Header) (driver, bool) {
	for _, d := range drivers {
		if slices.ContainsFunc(d.events, func(name string) bool { return h.Get(name) != "" }) {
			return d, true
		}
	}
	return driver{}, false
}

// kindNames returns the names of kinds as used in the operator's list of servers, in order.
func kindNames() []string {
	var names []string
	for _, d := range drivers {
		names = append(names, string(d.kind))
		if d.alias != "" {
			names = append(names, d.alias)
		}
	}
	slices.Sort(names)
	return names
}

// parseKind returns the kind with the given name.
func parseKind(name string) (Kind, bool) {
	name = strings.ToLower(name)
	for _, d := range drivers {
		if name == string(d.kind) || name != "" && name == d.alias {
			return d.kind, true
		}
	}
	return "", false
}
