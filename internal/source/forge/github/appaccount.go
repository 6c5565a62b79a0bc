package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// AppAccount is an App's access to GitHub: the repositories of the accounts that installed it.
type AppAccount struct {
	opt Options
	api *rest.Client // authenticated as the App itself
}

var _ connect.Account = AppAccount{}

// NewAppAccount returns the account of the App in the options. Owner limits it to one account that installed the App,
// unless it is "". Token and Name are ignored.
func NewAppAccount(opt Options) AppAccount {
	return AppAccount{opt: opt, api: opt.App.client(opt.API, opt.HTTP, opt.Now)}
}

// permissions lists the permissions that we use, worded as in GitHub's settings.
var permissions = []struct{ key, level, words string }{
	{"contents", "write", "contents: read and write"},
	{"pull_requests", "write", "pull requests: read and write"},
	{"statuses", "write", "commit statuses: read and write"},
	{"checks", "write", "checks: read and write"},
	{"repository_hooks", "write", "webhooks: read and write"},
}

// Identify implements connect.Account.
func (a AppAccount) Identify(ctx context.Context) (connect.Identity, error) {
	var app struct {
		Slug        string
		Permissions map[string]string
	}
	if _, err := a.api.Do(ctx, rest.Call{Path: "/app", Out: &app}); err != nil {
		return connect.Identity{}, err
	}
	out := connect.Identity{Name: app.Slug}
	for _, p := range permissions {
		if app.Permissions[p.key] != p.level {
			out.Lacks = append(out.Lacks, p.words)
		}
	}
	return out, nil
}

// installations lists the App's active installations.
func (a AppAccount) installations(ctx context.Context) ([]installation, error) {
	var list, out []installation
	if _, err := a.api.Do(ctx, rest.Call{Path: "/app/installations",
		Query: url.Values{"per_page": {strconv.Itoa(perPage)}}, Out: &list}); err != nil {
		return nil, err
	}
	for _, one := range list {
		if one.SuspendedAt == nil && (a.opt.Owner == "" || strings.EqualFold(one.Account.Login, a.opt.Owner)) {
			out = append(out, one)
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.NotFound, "app_not_installed", "The GitHub App is not installed on any repository.").
			WithHint("Open the App's page on GitHub, choose Install, and select the repositories.")
	}
	return out, nil
}

// List implements connect.Account. A position consists of an installation's id, a colon, and a page number.
func (a AppAccount) List(ctx context.Context, q connect.Query) (connect.Page, error) {
	list, err := a.installations(ctx)
	if err != nil {
		return connect.Page{}, err
	}
	var at int64            // id of the installation that client belongs to
	var client *rest.Client // nil = none yet
	return rest.Scan(ctx, q, func(ctx context.Context, position string) ([]connect.Repository, string, error) {
		index, page, err := seek(list, position)
		if err != nil {
			return nil, "", err
		}
		if id := list[index].ID; client == nil || at != id {
			token, err := issueFor(ctx, a.api, id, map[string]any{"permissions": map[string]string{"metadata": "read"}})
			if err != nil {
				return nil, "", err
			}
			at, client = id, newClient(a.opt.API, a.opt.HTTP, a.opt.Now, rest.Key{Password: token.Token}.Scheme("Bearer"))
		}
		var out struct{ Repositories []repository }
		header, err := client.Do(ctx, rest.Call{Path: "/installation/repositories",
			Query: url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}, Out: &out})
		switch {
		case err != nil:
			return nil, "", err
		case rest.More(header):
			return shown(out.Repositories), strconv.FormatInt(at, 10) + ":" + strconv.Itoa(page+1), nil
		case index+1 < len(list):
			return shown(out.Repositories), strconv.FormatInt(list[index+1].ID, 10) + ":1", nil
		}
		return shown(out.Repositories), "", nil
	})
}

// seek parses a position into installation and page.
func seek(list []installation, position string) (index, page int, err error) {
	if position == "" {
		return 0, 1, nil
	}
	id, number, _ := strings.Cut(position, ":")
	for i, one := range list {
		if strconv.FormatInt(one.ID, 10) == id {
			page, err = rest.PageNumber(number)
			return i, page, err
		}
	}
	return 0, 0, rest.BadCursor()
}

// appRights returns the App's permissions in its installation.
func (h *Host) appRights(ctx context.Context) (connect.Rights, error) {
	found, err := findInstallation(ctx, h.opt.App.client(h.opt.API, h.opt.HTTP, h.opt.Now), h.opt.Owner, h.opt.Name)
	if err != nil {
		return connect.Rights{}, err
	}
	has := func(key string) bool { return found.Permissions[key] == "write" }
	return connect.Rights{Write: connect.RightIf(has("contents") && has("pull_requests")),
		Webhooks: connect.RightIf(has("repository_hooks"))}, nil
}

// Created is an App that GitHub created from a manifest.
type Created struct {
	App   App
	Slug  string // its name in URLs
	Owner string // account that owns it
	Page  string // its page on GitHub, for people; "" if GitHub returned no safe address
}

// Convert fetches an App that GitHub created from a manifest. code is what GitHub sends after it has created the App;
// it works only once and is valid for an hour. Only the options API, HTTP and Now are used.
func Convert(ctx context.Context, opt Options, code string) (Created, error) {
	var out struct {
		ID      int64
		Slug    string
		PEM     string
		HTMLURL string `json:"html_url"`
		Owner   struct{ Login string }
	}
	c := newClient(opt.API, opt.HTTP, opt.Now, nil)
	_, err := c.Do(ctx, rest.Call{Method: http.MethodPost, Path: "/app-manifests" + rest.Escape(code) + "/conversions",
		Out: &out})
	if s := rest.Status(err); s == http.StatusNotFound || s == http.StatusUnprocessableEntity {
		return Created{}, fault.New(fault.Invalid, "bad_app_code", "GitHub did not accept the code of the new App.").
			WithHint("A code works once and for one hour. Start again.").WithCause(err)
	}
	if err != nil {
		return Created{}, err
	}
	made := Created{App: App{ID: strconv.FormatInt(out.ID, 10), PrivateKey: out.PEM}, Slug: out.Slug,
		Owner: out.Owner.Login, Page: rest.Web(out.HTMLURL)}
	if out.ID <= 0 || made.Owner == "" || made.App.Check() != nil {
		return Created{}, c.Unreadable("an App without an id, an owner or a key")
	}
	return made, nil
}
