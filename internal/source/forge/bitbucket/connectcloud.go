package bitbucket

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ connect.Place = (*Cloud)(nil)

const perPage = 100

// CloudAccount is one credential's access to a Bitbucket Cloud workspace.
type CloudAccount struct {
	api       *rest.Client
	workspace string // "" = none given
}

var _ connect.Account = CloudAccount{}

// NewCloudAccount returns the account for the workspace given as Owner in the options. Name is ignored.
func NewCloudAccount(opt Options) CloudAccount {
	return CloudAccount{api: client(opt, "Bitbucket"), workspace: opt.Owner}
}

// Identify implements connect.Account. Repository and workspace tokens have no account: they work, but have no name.
func (a CloudAccount) Identify(ctx context.Context) (connect.Identity, error) {
	var user cloudUser
	header, err := a.api.Do(ctx, rest.Call{Path: "/user", Out: &user})
	if s := rest.Status(err); (s == http.StatusForbidden || s == http.StatusUnauthorized) && a.workspace != "" {
		header, err = a.api.Do(ctx, rest.Call{Path: "/repositories" + rest.Escape(a.workspace),
			Query: url.Values{"pagelen": {"1"}}})
	}
	return connect.Identity{Name: user.Nickname, Lacks: lacking(header)}, err
}

// lacking returns the required scopes that a token lacks according to the host; nil if the host does not say.
func lacking(h http.Header) (out []string) {
	if h.Get("X-OAuth-Scopes") == "" {
		return nil
	}
	has := strings.FieldsFunc(h.Get("X-OAuth-Scopes"), func(r rune) bool { return r == ',' || r == ' ' })
	// Newer API tokens have a different word order.
	for _, one := range [][]string{{"repository:write", "write:repository:bitbucket"},
		{"pullrequest:write", "write:pullrequest:bitbucket"}, {"webhook", "write:webhook:bitbucket"}} {
		if !slices.ContainsFunc(one, func(name string) bool { return slices.Contains(has, name) }) {
			out = append(out, one[0])
		}
	}
	return out
}

// List implements connect.Account. The API has no list across workspaces.
func (a CloudAccount) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	if a.workspace == "" {
		return connect.Page{}, fault.New(fault.Invalid, "missing_workspace",
			"Bitbucket Cloud lists repositories only for a workspace, and the credential is for the whole host.").
			WithHint("Replace the credential with one for https://bitbucket.org/WORKSPACE.")
	}
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		page, err := rest.PageNumber(position)
		if err != nil {
			return nil, "", err
		}
		query := url.Values{"sort": {"full_name"}, "pagelen": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}
		if q.Search != "" {
			query.Set("q", `name ~ "`+quote(rest.ShortName(q.Search))+`"`)
		}
		var out struct {
			Values []struct {
				FullName   string `json:"full_name"`
				Private    bool   `json:"is_private"`
				MainBranch *struct{ Name string }
			}
			Next string
		}
		if _, err := a.api.Do(ctx, rest.Call{Path: "/repositories" + rest.Escape(a.workspace), Query: query,
			Out: &out}); err != nil {
			return nil, "", err
		}
		var list []connect.Repository
		for _, r := range out.Values {
			// The host's clone URL contains a user name.
			one := connect.Repository{Name: r.FullName, URL: "https://bitbucket.org/" + r.FullName + ".git",
				Private: r.Private}
			if r.MainBranch != nil {
				one.Branch = r.MainBranch.Name
			}
			list = append(list, one)
		}
		if out.Next == "" {
			return list, "", nil
		}
		return list, strconv.Itoa(page + 1), nil
	})
}

// Rights implements connect.Place.
func (h *Cloud) Rights(ctx context.Context) (connect.Rights, error) {
	if _, err := h.api.Do(ctx, rest.Call{Path: h.repo}); err != nil {
		return connect.Rights{}, err
	}
	var found struct{ Values []struct{} }
	out := connect.Rights{Write: connect.Unknown}
	_, err := h.api.Do(ctx, rest.Call{Path: "/repositories" + rest.Escape(h.opt.Owner),
		Query: url.Values{"role": {"contributor"}, "pagelen": {"1"}, "q": {`slug = "` + quote(h.opt.Name) + `"`}}, Out: &found})
	switch {
	case rest.Grave(err) != nil:
		return out, err
	case err == nil:
		out.Write = connect.RightIf(len(found.Values) > 0)
	}
	out.Webhooks, err = h.api.HookRight(ctx, h.hooks(connect.Hook{}))
	return out, err
}

// PutHook implements connect.Place.
func (h *Cloud) PutHook(ctx context.Context, hook connect.Hook) (connect.Outcome, error) {
	return h.api.PutHook(ctx, h.hooks(hook), hook)
}

// DeleteHook implements connect.Place.
func (h *Cloud) DeleteHook(ctx context.Context, address string) error {
	return h.api.DeleteHook(ctx, h.hooks(connect.Hook{}), address)
}

func (h *Cloud) hooks(hook connect.Hook) rest.Hooks {
	hooks := h.repo + "/hooks"
	in := map[string]any{"description": hookName, "url": hook.URL, "active": true, "secret": hook.Secret,
		"events": []string{"repo:push", "pullrequest:created", "pullrequest:updated", "pullrequest:fulfilled",
			"pullrequest:rejected", "pullrequest:comment_created", "issue:comment_created"}}
	return rest.Hooks{
		Repository: h.repo, Path: hooks,
		List: func(ctx context.Context, at int) ([]rest.HookRow, int, error) {
			var out struct {
				Values []struct{ UUID, URL string }
				Next   string
			}
			page := max(at, 1)
			_, err := h.api.Do(ctx, rest.Call{Path: hooks, Out: &out,
				Query: url.Values{"pagelen": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}})
			var rows []rest.HookRow
			for _, one := range out.Values {
				rows = append(rows, rest.HookRow{ID: one.UUID, URL: one.URL})
			}
			if out.Next == "" {
				return rows, 0, err
			}
			return rows, page + 1, err
		},
		Body: in, Change: http.MethodPut,
		Needs: "The token needs the permission webhooks: read and write. The user of a user's token must be a repository administrator.",
	}
}

// hookName is the name in the host's list of webhooks.
const hookName = "Lectern"
