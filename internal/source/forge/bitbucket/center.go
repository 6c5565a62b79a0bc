package bitbucket

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Center is one repository on Bitbucket Data Center.
type Center struct {
	api     *rest.Client
	reports *rest.Client // the API for reports, which has a separate address
	repo    string       // path of the repository in both
}

var _ pull.Host = (*Center)(nil)

// NewCenter returns a repository on Bitbucket Data Center. Personal repositories are in a project named ~user.
func NewCenter(opt Options) *Center {
	reports := opt
	reports.API = strings.TrimSuffix(opt.API, "/api/1.0") + "/insights/1.0"
	return &Center{api: client(opt, "Bitbucket"), reports: client(reports, "Bitbucket"),
		repo: "/projects" + rest.Escape(opt.Owner) + "/repos" + rest.Escape(opt.Name)}
}

// centerPull is the part of the host's pull request object that we use. Changing it requires the version that was
// read.
type centerPull struct {
	ID          int64
	Version     int64
	Title       string
	Description string
	State       string
	Draft       bool
	FromRef     centerRef
	ToRef       centerRef
	Reviewers   []centerReviewer
	Properties  struct {
		MergeCommit struct{ ID string }
	}
	Links struct{ Self []struct{ Href string } }
}

type centerRef struct {
	ID           string
	DisplayID    string
	LatestCommit string
	Repository   struct {
		ID      int64
		Slug    string
		Project struct{ Key string }
	}
}

type centerReviewer struct {
	User centerUser `json:"user"`
}

type centerUser struct {
	Name string `json:"name"`
}

func (r centerRef) repository() string { return r.Repository.Project.Key + "/" + r.Repository.Slug }

// own reports whether the changes are in the repository itself; branch names are no indication, because a fork can
// use any name.
func (p centerPull) own() bool {
	return p.FromRef.Repository.Slug != "" && strings.EqualFold(p.FromRef.repository(), p.ToRef.repository())
}

func (p centerPull) address() string {
	if len(p.Links.Self) == 0 {
		return ""
	}
	return rest.Web(p.Links.Self[0].Href)
}

func (p centerPull) pull() pull.Pull {
	return pull.Pull{Number: p.ID, URL: p.address(), State: state(p.State), Draft: p.Draft, Title: rest.Title(p.Title),
		Head: strings.TrimPrefix(p.FromRef.ID, "refs/heads/"), Base: strings.TrimPrefix(p.ToRef.ID, "refs/heads/"),
		Commit: rest.Commit(p.FromRef.LatestCommit), Fork: !p.own()}
}

// Find implements pull.Host.
func (h *Center) Find(ctx context.Context, head string) (pull.Pull, error) {
	query := url.Values{"at": {"refs/heads/" + head}, "direction": {"OUTGOING"}, "state": {"ALL"}, "order": {"NEWEST"},
		"limit": {"50"}}
	var page struct{ Values []centerPull }
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo + "/pull-requests", Query: query, Out: &page}); err != nil {
		return pull.Pull{}, err
	}
	var found []pull.Pull
	for _, p := range page.Values {
		if p.own() && p.FromRef.ID == "refs/heads/"+head && p.ID > 0 {
			found = append(found, p.pull())
		}
	}
	return rest.First(found)
}

// Get implements pull.Host.
func (h *Center) Get(ctx context.Context, number int64) (pull.Pull, error) {
	p, err := h.get(ctx, number)
	return p.pull(), err
}

func (h *Center) get(ctx context.Context, number int64) (centerPull, error) {
	var p centerPull
	err := h.api.One(ctx, h.number(number), h.repo, &p, func() bool { return p.ID == number })
	return p, err
}

func (h *Center) number(n int64) string { return h.repo + "/pull-requests/" + strconv.FormatInt(n, 10) }
