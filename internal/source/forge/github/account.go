package github

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

const perPage = 100

// UserAccount is a user token's access to GitHub.
type UserAccount struct{ api *rest.Client }

var _ connect.Account = UserAccount{}

// NewUserAccount returns the account. The options Owner and Name are ignored.
func NewUserAccount(opt Options) UserAccount { return UserAccount{api: newUserClient(opt)} }

// Identify implements connect.Account. GitHub returns the scopes only of classic tokens.
func (a UserAccount) Identify(ctx context.Context) (connect.Identity, error) {
	var user struct{ Login string }
	header, err := a.api.Do(ctx, rest.Call{Path: "/user", Out: &user})
	if err != nil {
		return connect.Identity{}, err
	}
	out := connect.Identity{Name: user.Login}
	if _, classic := header["X-Oauth-Scopes"]; classic {
		has := strings.FieldsFunc(header.Get("X-OAuth-Scopes"), func(r rune) bool { return r == ',' || r == ' ' })
		if !slices.Contains(has, "repo") && !slices.Contains(has, "public_repo") {
			out.Lacks = []string{"repo"}
		}
	}
	if end, err := time.Parse("2006-01-02 15:04:05 MST", header.Get("Github-Authentication-Token-Expiration")); err == nil {
		out.Expires = &end
	}
	return out, nil
}

// repository is the part of GitHub's repository object that we use.
type repository struct {
	FullName    string `json:"full_name"`
	CloneURL    string `json:"clone_url"`
	Branch      string `json:"default_branch"`
	Private     bool
	Permissions *struct{ Push bool }
}

func shown(list []repository) (out []connect.Repository) {
	for _, r := range list {
		out = append(out, connect.Repository{Name: r.FullName, URL: r.CloneURL, Branch: r.Branch, Private: r.Private})
	}
	return out
}

// List implements connect.Account.
func (a UserAccount) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		page, err := rest.PageNumber(position)
		if err != nil {
			return nil, "", err
		}
		query := url.Values{"sort": {"full_name"}, "per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}
		var list []repository
		header, err := a.api.Do(ctx, rest.Call{Path: "/user/repos", Query: query, Out: &list})
		if err != nil {
			return nil, "", err
		}
		if !rest.More(header) {
			return shown(list), "", nil
		}
		return shown(list), strconv.Itoa(page + 1), nil
	})
}

// Rights implements connect.Place.
func (h *Host) Rights(ctx context.Context) (connect.Rights, error) {
	if h.opt.App != nil {
		return h.appRights(ctx)
	}
	var r repository
	header, err := h.api.Do(ctx, rest.Call{Path: h.repo, Out: &r})
	if err != nil {
		return connect.Rights{}, err
	}
	out := connect.Rights{Write: connect.RightIf(r.Permissions != nil && r.Permissions.Push)}
	if _, classic := header["X-Oauth-Scopes"]; !classic && out.Write == connect.Allowed {
		out.Write = connect.Unknown // the user may, but a fine-grained token's rights are unknown
	}
	out.Webhooks, err = h.api.HookRight(ctx, h.hooks(connect.Hook{}))
	return out, err
}

var _ connect.Place = (*Host)(nil)

const hooksNeed = "A fine-grained token or an App needs the permission webhooks: read and write; a classic token needs " +
	"the scope repo, and its user must be an administrator of the repository."

// PutHook implements connect.Place.
func (h *Host) PutHook(ctx context.Context, hook connect.Hook) (connect.Outcome, error) {
	return h.api.PutHook(ctx, h.hooks(hook), hook)
}

// DeleteHook implements connect.Place.
func (h *Host) DeleteHook(ctx context.Context, address string) error {
	return h.api.DeleteHook(ctx, h.hooks(connect.Hook{}), address)
}

func (h *Host) hooks(hook connect.Hook) rest.Hooks {
	hooks := h.repo + "/hooks"
	in := map[string]any{"active": true, "events": []string{"push", "pull_request", "issue_comment",
		"pull_request_review_comment", "issues"}, "config": map[string]string{
		"url": hook.URL, "content_type": "json", "secret": hook.Secret, "insecure_ssl": "0"}}
	return rest.Hooks{
		Repository: h.repo, Path: hooks,
		List: func(ctx context.Context, at int) ([]rest.HookRow, int, error) {
			var list []struct {
				ID     int64
				Config struct{ URL string }
			}
			next, err := h.api.Numbered(ctx, hooks, "per_page", perPage, at, &list)
			var rows []rest.HookRow
			for _, one := range list {
				rows = append(rows, rest.HookRow{ID: strconv.FormatInt(one.ID, 10), URL: one.Config.URL})
			}
			return rows, next, err
		},
		Body: in, OnlyNew: map[string]any{"name": "web"}, Change: http.MethodPatch,
		Needs: hooksNeed,
	}
}
