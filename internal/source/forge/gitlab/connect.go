package gitlab

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ connect.Place = (*Host)(nil)

const (
	perPage        = 100
	shortestSearch = 3 // minimum number of characters for GitLab's search

	developer = 30 // lowest access level that permits pushing
)

// Account is one credential's access to a server.
type Account struct{ api *rest.Client }

var _ connect.Account = Account{}

// NewAccount returns the account. The option Path is ignored.
func NewAccount(opt Options) Account { return Account{api: newClient(opt)} }

// Identify implements connect.Account. GitLab returns details of access tokens, but not of OAuth tokens.
func (a Account) Identify(ctx context.Context) (connect.Identity, error) {
	var user struct{ Username string }
	if _, err := a.api.Do(ctx, rest.Call{Path: "/user", Out: &user}); err != nil {
		return connect.Identity{}, err
	}
	out := connect.Identity{Name: user.Username}
	var token struct {
		Scopes    []string
		ExpiresAt string `json:"expires_at"` // a date, or null
	}
	if _, err := a.api.Do(ctx, rest.Call{Path: "/personal_access_tokens/self", Out: &token}); err != nil {
		return out, rest.Grave(err)
	}
	if len(token.Scopes) > 0 && !slices.Contains(token.Scopes, "api") {
		out.Lacks = []string{"api"}
	}
	if end, err := time.Parse(time.DateOnly, token.ExpiresAt); err == nil {
		out.Expires = &end
	}
	return out, nil
}

// List implements connect.Account.
func (a Account) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		page, err := rest.PageNumber(position)
		if err != nil {
			return nil, "", err
		}
		query := url.Values{"membership": {"true"}, "archived": {"false"}, "order_by": {"id"}, "sort": {"asc"},
			"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}
		if len(q.Search) >= shortestSearch {
			query.Set("search", q.Search)
			query.Set("search_namespaces", "true")
		}
		var out []struct {
			Path       string `json:"path_with_namespace"`
			URL        string `json:"http_url_to_repo"`
			Branch     string `json:"default_branch"`
			Visibility string
		}
		header, err := a.api.Do(ctx, rest.Call{Path: "/projects", Query: query, Out: &out})
		if err != nil {
			return nil, "", err
		}
		var list []connect.Repository
		for _, p := range out {
			list = append(list, connect.Repository{Name: p.Path, URL: p.URL, Branch: p.Branch,
				Private: p.Visibility != "public"})
		}
		if !rest.More(header) {
			return list, "", nil
		}
		return list, strconv.Itoa(page + 1), nil
	})
}

// Rights implements connect.Place.
func (h *Host) Rights(ctx context.Context) (connect.Rights, error) {
	type access struct {
		Level int `json:"access_level"`
	}
	var p struct {
		Permissions struct {
			Project *access `json:"project_access"`
			Group   *access `json:"group_access"`
		}
	}
	if _, err := h.api.Do(ctx, rest.Call{Path: h.project, Out: &p}); err != nil {
		return connect.Rights{}, err
	}
	level := 0
	for _, one := range []*access{p.Permissions.Project, p.Permissions.Group} {
		if one != nil {
			level = max(level, one.Level)
		}
	}
	hooks, err := h.api.HookRight(ctx, h.hooks(connect.Hook{}))
	out := connect.Rights{Write: connect.RightIf(level >= developer), Webhooks: hooks}
	if level == 0 && hooks == connect.Allowed { // an administrator of the server who is not a member
		out.Write = connect.Allowed
	}
	return out, err
}

// PutHook implements connect.Place.
func (h *Host) PutHook(ctx context.Context, hook connect.Hook) (connect.Outcome, error) {
	return h.api.PutHook(ctx, h.hooks(hook), hook)
}

// DeleteHook implements connect.Place.
func (h *Host) DeleteHook(ctx context.Context, address string) error {
	return h.api.DeleteHook(ctx, h.hooks(connect.Hook{}), address)
}

func (h *Host) hooks(hook connect.Hook) rest.Hooks {
	hooks := h.project + "/hooks"
	in := map[string]any{"url": hook.URL, "token": hook.Secret, "push_events": true, "tag_push_events": true, "merge_requests_events": true,
		"note_events": true, "issues_events": true,
		"enable_ssl_verification": true}
	return rest.Hooks{
		Repository: h.project, Path: hooks,
		List: func(ctx context.Context, at int) ([]rest.HookRow, int, error) {
			var list []struct {
				ID  int64
				URL string
			}
			next, err := h.api.Numbered(ctx, hooks, "per_page", perPage, at, &list)
			var rows []rest.HookRow
			for _, one := range list {
				rows = append(rows, rest.HookRow{ID: strconv.FormatInt(one.ID, 10), URL: one.URL})
			}
			return rows, next, err
		},
		Body: in, Change: http.MethodPut,
		Needs: "The token needs the scope api and the role Maintainer in the project.",
	}
}
