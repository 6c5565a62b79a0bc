package gitea

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
	API         string // https://HOST/api/v1
	Owner, Name string
	HTTP        *http.Client
	Key         rest.Key
	Now         func() time.Time
}

// Host is one repository.
type Host struct {
	api  *rest.Client
	opt  Options
	repo string // path of the repository in the API
}

var _ pull.Host = (*Host)(nil)

// New returns a client for the repository that opt identifies.
func New(opt Options) *Host {
	return &Host{api: newClient(opt), opt: opt, repo: "/repos" + rest.Escape(opt.Owner, opt.Name)}
}

func newClient(opt Options) *rest.Client {
	authorize := opt.Key.Scheme("token")
	if opt.Key.User != "" && opt.Key.Password != "" {
		authorize = opt.Key.Basic() // the password may be a token, which is accepted too
	}
	return rest.New(rest.Options{Name: "The code host", Base: opt.API, HTTP: opt.HTTP, Now: opt.Now,
		Authorize: authorize, Header: http.Header{"Accept": {"application/json"}}})
}

// pullRequest is the part of the host's pull request object that we use.
type pullRequest struct {
	Number  int64
	HTMLURL string `json:"html_url"`
	State   string
	Draft   bool
	Merged  bool
	Title   string
	Head    ref
	Base    ref
}

type ref struct {
	Label  string // branch, even if it no longer exists
	Ref    string // branch, or refs/pull/N/head if it no longer exists
	SHA    string
	RepoID int64 `json:"repo_id"` // -1 after a fork is deleted
}

func (r ref) branch() string {
	if strings.HasPrefix(r.Ref, "refs/pull/") {
		return r.Label
	}
	return r.Ref
}

// own reports whether the changes are in the repository itself; branch names are no indication, because a fork can
// use any name.
func (p pullRequest) own() bool { return p.Head.RepoID > 0 && p.Head.RepoID == p.Base.RepoID }

func (p pullRequest) state() pull.State {
	switch {
	case p.Merged:
		return pull.Merged
	case p.State == "open":
		return pull.Open
	}
	return pull.Closed
}

// draftMark at the start of a title marks a draft.
const draftMark = "WIP: "

// bare removes a draft mark from a title, in the forms that hosts recognize by default.
func bare(title string) string {
	for _, mark := range []string{"wip:", "[wip]", "draft:", "[draft]"} {
		if len(title) >= len(mark) && strings.EqualFold(title[:len(mark)], mark) {
			return strings.TrimSpace(title[len(mark):])
		}
	}
	return title
}

func (p pullRequest) pull() pull.Pull {
	title := p.Title
	if p.Draft {
		title = bare(title)
	}
	return pull.Pull{Number: p.Number, URL: rest.Web(p.HTMLURL), State: p.state(), Draft: p.Draft,
		Title: rest.Title(title),
		Head:  p.Head.branch(), Base: p.Base.branch(), Commit: rest.Commit(p.Head.SHA), Fork: !p.own()}
}

// Limits for Find. The API cannot filter by branch, so Find searches the open pull requests, then the newest closed
// ones.
const (
	perPage     = 50 // the default limit of hosts
	openPages   = 20
	closedPages = 6
)

// Find implements pull.Host.
func (h *Host) Find(ctx context.Context, head string) (pull.Pull, error) {
	for _, part := range []struct {
		state string
		pages int
	}{{"open", openPages}, {"closed", closedPages}} {
		for page := 1; page <= part.pages; page++ {
			var list []pullRequest
			query := url.Values{"state": {part.state}, "page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(perPage)}}
			header, err := h.api.Do(ctx, rest.Call{Path: h.repo + "/pulls", Query: query, Out: &list})
			if err != nil {
				return pull.Pull{}, err
			}
			for _, p := range list { // newest first
				if p.own() && p.Head.branch() == head && p.Number > 0 {
					return p.pull(), nil
				}
			}
			if !rest.More(header) {
				break
			}
		}
	}
	return pull.Pull{}, rest.Missing()
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
