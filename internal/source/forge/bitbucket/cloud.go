package bitbucket

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

// Options configures access to one repository. All fields except Key are required.
type Options struct {
	API         string // https://api.bitbucket.org/2.0, or https://HOST/rest/api/1.0 of Data Center
	Owner, Name string // workspace, or key of a Data Center project, and the repository's short name
	HTTP        *http.Client
	Key         rest.Key
	Now         func() time.Time
}

// client authenticates with user and password, or with an access token, which has no user or a generic user name.
func client(opt Options, name string) *rest.Client {
	authorize := opt.Key.Scheme("Bearer")
	if opt.Key.User != "" && opt.Key.User != "x-token-auth" && opt.Key.Password != "" {
		authorize = opt.Key.Basic()
	}
	return rest.New(rest.Options{Name: name, Base: opt.API, HTTP: opt.HTTP, Now: opt.Now, Authorize: authorize,
		Header: http.Header{"Accept": {"application/json"}}})
}

// Cloud is one repository on Bitbucket Cloud.
type Cloud struct {
	api  *rest.Client
	opt  Options
	repo string // path of the repository in the API
}

var _ pull.Host = (*Cloud)(nil)

// NewCloud returns a repository on Bitbucket Cloud.
func NewCloud(opt Options) *Cloud {
	return &Cloud{api: client(opt, "Bitbucket"), opt: opt, repo: "/repositories" + rest.Escape(opt.Owner, opt.Name)}
}

// cloudPull is the part of the host's pull request object that we use.
type cloudPull struct {
	ID          int64
	Title       string
	Description string
	State       string
	Draft       bool
	Source      cloudEnd
	Destination cloudEnd
	Reviewers   []cloudUser
	MergeCommit *struct{ Hash string } `json:"merge_commit"`
	Links       struct {
		HTML struct{ Href string }
	}
}

type cloudEnd struct {
	Branch     struct{ Name string }
	Commit     *struct{ Hash string } // often abbreviated
	Repository *struct {              // null after a fork is deleted
		FullName string `json:"full_name"`
	}
}

type cloudUser struct {
	UUID      string `json:"uuid"`
	AccountID string `json:"account_id"`
	Nickname  string `json:"nickname"`
}

// own reports whether the changes are in the repository itself; branch names are no indication, because a fork can
// use any name.
func (p cloudPull) own() bool {
	from, to := p.Source.Repository, p.Destination.Repository
	return from != nil && to != nil && strings.EqualFold(from.FullName, to.FullName)
}

// state maps the state of both products. A superseded pull request was replaced by another one.
func state(word string) pull.State {
	switch word {
	case "OPEN":
		return pull.Open
	case "MERGED":
		return pull.Merged
	}
	return pull.Closed
}

func (p cloudPull) pull() pull.Pull {
	out := pull.Pull{Number: p.ID, URL: rest.Web(p.Links.HTML.Href), State: state(p.State), Draft: p.Draft,
		Title: rest.Title(p.Title),
		Head:  p.Source.Branch.Name, Base: p.Destination.Branch.Name, Fork: !p.own()}
	if p.Source.Commit != nil {
		out.Commit = rest.Commit(p.Source.Commit.Hash)
	}
	return out
}

// Find implements pull.Host.
func (h *Cloud) Find(ctx context.Context, head string) (pull.Pull, error) {
	query := url.Values{"state": {"OPEN", "MERGED", "DECLINED", "SUPERSEDED"}, "sort": {"-created_on"},
		"pagelen": {"50"}}
	query.Set("q", `source.branch.name = "`+quote(head)+`"`)
	var page struct{ Values []cloudPull }
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo + "/pullrequests", Query: query, Out: &page}); err != nil {
		return pull.Pull{}, err
	}
	var found []pull.Pull
	for _, p := range page.Values {
		if p.own() && p.Source.Branch.Name == head && p.ID > 0 {
			found = append(found, p.pull())
		}
	}
	return rest.First(found)
}

// quote escapes a name for quotation marks in a filter.
func quote(name string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)
}

// Get implements pull.Host.
func (h *Cloud) Get(ctx context.Context, number int64) (pull.Pull, error) {
	p, err := h.get(ctx, number)
	return p.pull(), err
}

func (h *Cloud) get(ctx context.Context, number int64) (cloudPull, error) {
	var p cloudPull
	err := h.api.One(ctx, h.number(number), h.repo, &p, func() bool { return p.ID == number })
	return p, err
}

func (h *Cloud) number(n int64) string { return h.repo + "/pullrequests/" + strconv.FormatInt(n, 10) }
