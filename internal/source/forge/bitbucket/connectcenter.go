package bitbucket

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ connect.Place = (*Center)(nil)

// CenterAccount is one credential's access to a Bitbucket Data Center server.
type CenterAccount struct{ api *rest.Client }

var _ connect.Account = CenterAccount{}

// NewCenterAccount returns the account. The options Owner and Name are ignored.
func NewCenterAccount(opt Options) CenterAccount { return CenterAccount{api: client(opt, "Bitbucket")} }

// Identify implements connect.Account. The host returns the account in a header; if it is missing, the credential
// was not recognized.
func (a CenterAccount) Identify(ctx context.Context) (connect.Identity, error) {
	header, err := a.api.Do(ctx, rest.Call{Path: "/repos", Query: url.Values{"limit": {"1"}}})
	return connect.Identity{Name: rest.Title(header.Get("X-AUSERNAME"))}, err
}

// centerRepository is the part of the host's repository object that we use.
type centerRepository struct {
	Slug    string
	Public  bool
	Project struct{ Key string }
	Links   struct{ Clone []struct{ Href, Name string } }
}

func (r centerRepository) name() string { return r.Project.Key + "/" + r.Slug }

// cloneURL returns the HTTP address without the user name that the host includes.
func (r centerRepository) cloneURL() string {
	for _, one := range r.Links.Clone {
		if u, err := url.Parse(one.Href); err == nil && strings.HasPrefix(one.Name, "http") {
			u.User = nil
			return u.String()
		}
	}
	return ""
}

// listCenter reads a page of repositories for which the credential has a permission.
func listCenter(ctx context.Context, api *rest.Client, name, permission string, start int) (list []centerRepository, next int,
	err error) {
	query := url.Values{"permission": {permission}, "start": {strconv.Itoa(start)}, "limit": {strconv.Itoa(perPage)}}
	if name != "" {
		query.Set("name", name)
	}
	var out struct {
		Values        []centerRepository
		IsLastPage    bool
		NextPageStart int
	}
	if _, err := api.Do(ctx, rest.Call{Path: "/repos", Query: query, Out: &out}); err != nil {
		return nil, 0, err
	}
	if out.IsLastPage || out.NextPageStart <= start {
		return out.Values, 0, nil
	}
	return out.Values, out.NextPageStart, nil
}

// List implements connect.Account. Positions are offsets in the list of repositories.
func (a CenterAccount) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		start := 0
		if position != "" {
			var err error
			if start, err = rest.PageNumber(position); err != nil {
				return nil, "", err
			}
		}
		found, next, err := listCenter(ctx, a.api, rest.ShortName(q.Search), "REPO_READ", start)
		if err != nil {
			return nil, "", err
		}
		var list []connect.Repository
		for _, r := range found {
			list = append(list, connect.Repository{Name: r.name(), URL: r.cloneURL(), Private: !r.Public})
		}
		if next == 0 {
			return list, "", nil
		}
		return list, strconv.Itoa(next), nil
	})
}

// Rights implements connect.Place.
func (h *Center) Rights(ctx context.Context) (connect.Rights, error) {
	var own centerRepository
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo, Out: &own}); err != nil {
		return connect.Rights{}, err
	}
	out := connect.Rights{Write: connect.Unknown}
	found, next, err := listCenter(ctx, h.api, own.Slug, "REPO_WRITE", 0)
	if rest.Grave(err) != nil {
		return out, err
	}
	for _, r := range found {
		if strings.EqualFold(r.name(), own.name()) {
			out.Write = connect.Allowed
		}
	}
	if err == nil && next == 0 && out.Write == connect.Unknown {
		out.Write = connect.Missing
	}
	out.Webhooks, err = h.api.HookRight(ctx, h.hooks(connect.Hook{}))
	return out, err
}

// PutHook implements connect.Place.
func (h *Center) PutHook(ctx context.Context, hook connect.Hook) (connect.Outcome, error) {
	return h.api.PutHook(ctx, h.hooks(hook), hook)
}

// DeleteHook implements connect.Place.
func (h *Center) DeleteHook(ctx context.Context, address string) error {
	return h.api.DeleteHook(ctx, h.hooks(connect.Hook{}), address)
}

func (h *Center) hooks(hook connect.Hook) rest.Hooks {
	hooks := h.repo + "/webhooks"
	in := map[string]any{"name": hookName, "url": hook.URL, "active": true,
		"configuration": map[string]string{"secret": hook.Secret},
		"events": []string{"repo:refs_changed", "pr:opened", "pr:from_ref_updated", "pr:reopened", "pr:merged",
			"pr:declined", "pr:deleted", "pr:comment:added"}}
	return rest.Hooks{
		Repository: h.repo, Path: hooks,
		List: func(ctx context.Context, at int) ([]rest.HookRow, int, error) {
			var out struct {
				Values []struct {
					ID  int64
					URL string
				}
				IsLastPage    bool
				NextPageStart int
			}
			_, err := h.api.Do(ctx, rest.Call{Path: hooks, Out: &out,
				Query: url.Values{"limit": {strconv.Itoa(perPage)}, "start": {strconv.Itoa(at)}}})
			var rows []rest.HookRow
			for _, one := range out.Values {
				rows = append(rows, rest.HookRow{ID: strconv.FormatInt(one.ID, 10), URL: one.URL})
			}
			if out.IsLastPage || out.NextPageStart <= at {
				return rows, 0, err
			}
			return rows, out.NextPageStart, err
		},
		Body: in, Change: http.MethodPut,
		Needs: "The token needs the permission repository admin.",
	}
}
