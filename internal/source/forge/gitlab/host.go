package gitlab

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

// Options configures access to one project. All fields except Key are required.
type Options struct {
	API  string // https://HOST/api/v4
	Path string // group/subgroup/project
	HTTP *http.Client
	Key  rest.Key
	Now  func() time.Time
}

// Host is one project.
type Host struct {
	api     *rest.Client
	project string // path of the project in the API
}

var _ pull.Host = (*Host)(nil)

// New returns a project.
func New(opt Options) *Host {
	return &Host{api: newClient(opt), project: "/projects" + rest.Escape(opt.Path)}
}

func newClient(opt Options) *rest.Client {
	return rest.New(rest.Options{Name: "GitLab", Base: opt.API, HTTP: opt.HTTP, Now: opt.Now,
		Header:    http.Header{"Accept": {"application/json"}},
		Authorize: opt.Key.Scheme("Bearer")}) // accepted for personal, project, group and OAuth tokens
}

// mergeRequest is the part of GitLab's merge request object that we use.
type mergeRequest struct {
	IID             int64
	WebURL          string `json:"web_url"`
	State           string
	Draft           bool
	Title           string
	SourceBranch    string `json:"source_branch"`
	TargetBranch    string `json:"target_branch"`
	SourceProjectID int64  `json:"source_project_id"`
	TargetProjectID int64  `json:"target_project_id"`
	SHA             string
	Reviewers       []struct{ ID int64 }
}

// draftMark at the start of a title marks a draft.
const draftMark = "Draft: "

// bare removes the mark from a title, in all forms that GitLab recognizes.
func bare(title string) string {
	for _, mark := range []string{"draft:", "[draft]", "(draft)"} {
		if len(title) >= len(mark) && strings.EqualFold(title[:len(mark)], mark) {
			return strings.TrimSpace(title[len(mark):])
		}
	}
	return title
}

// own reports whether the changes are in the project itself; branch names are no indication, because a fork can use
// any name.
func (m mergeRequest) own() bool {
	return m.SourceProjectID != 0 && m.SourceProjectID == m.TargetProjectID
}

func (m mergeRequest) pull() pull.Pull {
	title := m.Title
	if m.Draft {
		title = bare(title)
	}
	return pull.Pull{Number: m.IID, URL: rest.Web(m.WebURL), State: state(m.State), Draft: m.Draft,
		Title: rest.Title(title),
		Head:  m.SourceBranch, Base: m.TargetBranch, Commit: rest.Commit(m.SHA), Fork: !m.own()}
}

// state maps GitLab's state; "locked" means that a merge is in progress.
func state(word string) pull.State {
	switch word {
	case "opened", "locked":
		return pull.Open
	case "merged":
		return pull.Merged
	}
	return pull.Closed
}

// Find implements pull.Host.
func (h *Host) Find(ctx context.Context, head string) (pull.Pull, error) {
	query := url.Values{"source_branch": {head}, "state": {"all"}, "order_by": {"created_at"}, "sort": {"desc"},
		"per_page": {"50"}}
	var list []mergeRequest
	if _, err := h.api.Do(ctx, rest.Call{Path: h.project + "/merge_requests", Query: query, Out: &list}); err != nil {
		return pull.Pull{}, err
	}
	var found []pull.Pull
	for _, m := range list {
		if m.own() && m.SourceBranch == head && m.IID > 0 {
			found = append(found, m.pull())
		}
	}
	return rest.First(found)
}

// Get implements pull.Host.
func (h *Host) Get(ctx context.Context, number int64) (pull.Pull, error) {
	m, err := h.get(ctx, number)
	return m.pull(), err
}

func (h *Host) get(ctx context.Context, number int64) (mergeRequest, error) {
	var m mergeRequest
	err := h.api.One(ctx, h.number(number), h.project, &m, func() bool { return m.IID == number })
	return m, err
}

func (h *Host) number(n int64) string {
	return h.project + "/merge_requests/" + strconv.FormatInt(n, 10)
}
