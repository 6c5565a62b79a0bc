package gitea

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ connect.Place = (*Host)(nil)

// Account is one credential's access to a server.
type Account struct{ api *rest.Client }

var _ connect.Account = Account{}

// NewAccount returns the account. The options Owner and Name are ignored.
func NewAccount(opt Options) Account { return Account{api: newClient(opt)} }

// Identify implements connect.Account. A token without the scope read:user works, but cannot read the name.
func (a Account) Identify(ctx context.Context) (connect.Identity, error) {
	var user struct{ Login string }
	_, err := a.api.Do(ctx, rest.Call{Path: "/user", Out: &user})
	if rest.Status(err) == http.StatusForbidden {
		_, err = a.api.Do(ctx, rest.Call{Path: "/repos/search", Query: url.Values{"limit": {"1"}}})
	}
	return connect.Identity{Name: user.Login}, err
}

// repository is the part of the host's repository object that we use.
type repository struct {
	FullName    string `json:"full_name"`
	CloneURL    string `json:"clone_url"`
	Branch      string `json:"default_branch"`
	Private     bool
	Permissions struct{ Push, Admin bool }
}

// List implements connect.Account. It lists the repositories that the user owns or contributes to or, for a token that
// may not identify its user, those that the token can see.
func (a Account) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	var user struct{ ID int64 }
	if _, err := a.api.Do(ctx, rest.Call{Path: "/user", Out: &user}); err != nil &&
		rest.Status(err) != http.StatusForbidden {
		return connect.Page{}, err
	}
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		page, err := rest.PageNumber(position)
		if err != nil {
			return nil, "", err
		}
		query := url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(perPage)}, "sort": {"alpha"},
			"order": {"asc"}}
		if user.ID > 0 {
			query.Set("uid", strconv.FormatInt(user.ID, 10))
		}
		if q.Search != "" {
			query.Set("q", rest.ShortName(q.Search))
		}
		var out struct{ Data []repository }
		header, err := a.api.Do(ctx, rest.Call{Path: "/repos/search", Query: query, Out: &out})
		if err != nil {
			return nil, "", err
		}
		var list []connect.Repository
		for _, r := range out.Data {
			list = append(list, connect.Repository{Name: r.FullName, URL: r.CloneURL, Branch: r.Branch, Private: r.Private})
		}
		if !rest.More(header) {
			return list, "", nil
		}
		return list, strconv.Itoa(page + 1), nil
	})
}

// Rights implements connect.Place.
func (h *Host) Rights(ctx context.Context) (connect.Rights, error) {
	var r repository
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo, Out: &r}); err != nil {
		return connect.Rights{}, err
	}
	hooks, err := h.api.HookRight(ctx, h.hooks(connect.Hook{}))
	return connect.Rights{Write: connect.RightIf(r.Permissions.Push || r.Permissions.Admin), Webhooks: hooks}, err
}

// PutHook implements connect.Place.
func (h *Host) PutHook(ctx context.Context, hook connect.Hook) (connect.Outcome, error) {
	return h.api.PutHook(ctx, h.hooks(hook), hook)
}

// DeleteHook implements connect.Place.
func (h *Host) DeleteHook(ctx context.Context, address string) error {
	return h.api.DeleteHook(ctx, h.hooks(connect.Hook{}), address)
}

// hooks describes the requests for the repository's webhooks. Gitea and Forgejo both accept the type gitea.
func (h *Host) hooks(hook connect.Hook) rest.Hooks {
	hooks := h.repo + "/hooks"
	in := map[string]any{"active": true, "events": []string{"push", "pull_request", "pull_request_sync", "pull_request_comment",
		"pull_request_label", "issue_comment", "issue_label"},
		"config": map[string]string{"url": hook.URL, "content_type": "json", "secret": hook.Secret}}
	return rest.Hooks{
		Repository: h.repo, Path: hooks,
		List: func(ctx context.Context, at int) ([]rest.HookRow, int, error) {
			var list []struct {
				ID     int64
				Config struct{ URL string }
			}
			page := max(at, 1)
			header, err := h.api.Do(ctx, rest.Call{Path: hooks, Out: &list,
				Query: url.Values{"limit": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}})
			var rows []rest.HookRow
			for _, one := range list {
				rows = append(rows, rest.HookRow{ID: strconv.FormatInt(one.ID, 10), URL: one.Config.URL})
			}
			// The response does not say which page is next, and the server's operator may limit pages to fewer entries
			// than requested.
			if total, _ := strconv.Atoi(header.Get("X-Total-Count")); len(rows) == 0 || page*len(rows) >= total {
				return rows, 0, err
			}
			return rows, page + 1, err
		},
		Body: in, OnlyNew: map[string]any{"type": "gitea"}, Change: http.MethodPatch,
		Needs: "Its user must be an administrator of the repository, and the token needs repository: read and write.",
	}
}
