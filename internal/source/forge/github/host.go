package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Options configures access to one repository. All fields except Token and App are required.
type Options struct {
	API         string // https://api.github.com, or https://HOST/api/v3
	Owner, Name string
	HTTP        *http.Client
	Token       func(ctx context.Context) (string, error) // nil = anonymous requests
	App         *App                                      // the App that the tokens belong to; nil = a user's tokens
	Now         func() time.Time
	Checks      bool // whether the tokens are an App's, which may create check runs if it has the permission
}

// Host is one repository.
type Host struct {
	api   *rest.Client
	opt   Options
	repo  string // path of the repository in the API
	graph string // address of the GraphQL API
}

var _ pull.Host = (*Host)(nil)

// New returns a client for the repository that opt identifies.
func New(opt Options) *Host {
	return &Host{api: newUserClient(opt), opt: opt, repo: "/repos" + rest.Escape(opt.Owner, opt.Name),
		graph: graphAddress(opt.API)}
}

// newUserClient returns a client with the options' token.
func newUserClient(opt Options) *rest.Client {
	return newClient(opt.API, opt.HTTP, opt.Now, func(ctx context.Context, r *http.Request) error {
		if opt.Token == nil {
			return nil
		}
		token, err := opt.Token(ctx)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	})
}

func newClient(api string, client *http.Client, now func() time.Time,
	authorize func(context.Context, *http.Request) error) *rest.Client {
	return rest.New(rest.Options{
		Name: "GitHub", Base: api, HTTP: client, Now: now, Authorize: authorize,
		Header: http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}},
		Limited: func(h http.Header) (time.Duration, bool) {
			if h.Get("X-RateLimit-Remaining") != "0" {
				return 0, h.Get("Retry-After") != "" // the secondary limit
			}
			reset, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
			if err != nil {
				return time.Minute, true
			}
			return time.Unix(reset, 0).Sub(now()), true
		},
	})
}

// graphAddress derives the GraphQL address from the REST address. On GitHub Enterprise Server, both are below /api.
func graphAddress(api string) string {
	if base, ok := strings.CutSuffix(api, "/v3"); ok {
		return base + "/graphql"
	}
	return api + "/graphql"
}

// pullRequest is the part of GitHub's pull request object that we use.
type pullRequest struct {
	NodeID   string `json:"node_id"`
	Number   int64
	HTMLURL  string `json:"html_url"`
	State    string
	Draft    bool
	MergedAt *time.Time `json:"merged_at"`
	Title    string
	Head     ref
	Base     ref
}

type ref struct {
	Ref  string
	SHA  string
	Repo *struct { // null after a fork is deleted
		FullName string `json:"full_name"`
	}
}

// own reports whether the changes are in the repository itself; branch names are no indication, because a fork can
// use any name.
func (p pullRequest) own() bool {
	return p.Head.Repo != nil && p.Base.Repo != nil && strings.EqualFold(p.Head.Repo.FullName, p.Base.Repo.FullName)
}

func (p pullRequest) pull() pull.Pull {
	state := pull.Open
	switch {
	case p.MergedAt != nil:
		state = pull.Merged
	case p.State != "open":
		state = pull.Closed
	}
	return pull.Pull{Number: p.Number, URL: rest.Web(p.HTMLURL), State: state, Draft: p.Draft,
		Title: rest.Title(p.Title),
		Head:  p.Head.Ref, Base: p.Base.Ref, Commit: rest.Commit(p.Head.SHA), Fork: !p.own()}
}

// Find implements pull.Host.
func (h *Host) Find(ctx context.Context, head string) (pull.Pull, error) {
	query := url.Values{"head": {h.opt.Owner + ":" + head}, "state": {"all"}, "sort": {"created"},
		"direction": {"desc"}, "per_page": {"30"}}
	var list []pullRequest
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo + "/pulls", Query: query, Out: &list}); err != nil {
		return pull.Pull{}, err
	}
	var found []pull.Pull
	for _, p := range list {
		if p.own() && p.Head.Ref == head && p.Number > 0 {
			found = append(found, p.pull())
		}
	}
	return rest.First(found)
}

// Get implements pull.Host.
func (h *Host) Get(ctx context.Context, number int64) (pull.Pull, error) {
	p, err := h.get(ctx, number)
	return p.pull(), err
}

func (h *Host) get(ctx context.Context, number int64) (pullRequest, error) {
	var p pullRequest
	err := h.api.One(ctx, h.number(number), h.repo, &p, func() bool { return p.Number == number })
	return p, err
}

func (h *Host) number(n int64) string { return h.repo + "/pulls/" + strconv.FormatInt(n, 10) }
