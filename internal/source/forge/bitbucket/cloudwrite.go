package bitbucket

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Open implements pull.Host. Bitbucket Cloud responds to a second request from the same branch by changing the open
// pull request, including title and text, so Open looks for that one first.
func (h *Cloud) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	if found, err := h.Find(ctx, r.Head); err == nil && found.State == pull.Open {
		p, err := h.get(ctx, found.Number)
		if err != nil {
			return pull.Pull{}, err
		}
		return h.ask(ctx, p, r.Reviewers)
	} else if err != nil && !fault.HasCode(err, "unknown_pull") {
		return pull.Pull{}, err
	}
	branch := func(name string) map[string]any { return map[string]any{"branch": map[string]string{"name": name}} }
	in := map[string]any{"title": r.Title, "description": r.Body, "source": branch(r.Head),
		"destination": branch(r.Base), "draft": r.Draft}
	var p cloudPull
	if _, err := h.api.Do(ctx,
		rest.Call{Method: http.MethodPost, Path: h.repo + "/pullrequests", In: in, Out: &p}); err != nil {
		return pull.Pull{}, err
	}
	if p.ID <= 0 {
		return pull.Pull{}, h.api.Unreadable("a pull request without a number")
	}
	return h.ask(ctx, p, r.Reviewers)
}

// Update implements pull.Host.
func (h *Cloud) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	p, err := h.get(ctx, number)
	if err != nil {
		return pull.Pull{}, err
	}
	p.Title, p.Description, p.Draft = r.Title, r.Body, p.Draft && r.Draft
	if p, err = h.put(ctx, p, p.Reviewers); err != nil {
		return pull.Pull{}, err
	}
	return h.ask(ctx, p, r.Reviewers)
}

// put writes the title, text, draft state and reviewers, replacing the current values.
func (h *Cloud) put(ctx context.Context, p cloudPull, reviewers []cloudUser) (cloudPull, error) {
	ids := make([]map[string]string, 0, len(reviewers))
	for _, u := range reviewers {
		ids = append(ids, map[string]string{"uuid": u.UUID})
	}
	in := map[string]any{"title": p.Title, "description": p.Description, "draft": p.Draft, "reviewers": ids}
	var out cloudPull
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: h.number(p.ID), In: in, Out: &out})
	if err == nil && out.ID != p.ID {
		err = h.api.Unreadable("a different pull request from the one that was changed")
	}
	return out, err
}

// ask adds reviewers one at a time, because Bitbucket refuses the whole list for a single invalid name.
func (h *Cloud) ask(ctx context.Context, p cloudPull, names []string) (pull.Pull, error) {
	for _, name := range names {
		user, ok, err := h.user(ctx, name)
		if err := rest.Grave(err); err != nil {
			return p.pull(), err
		}
		if !ok || asked(p.Reviewers, user) {
			continue
		}
		changed, err := h.put(ctx, p, append(p.Reviewers[:len(p.Reviewers):len(p.Reviewers)], user))
		if grave := rest.Grave(err); grave != nil {
			return p.pull(), grave
		}
		if err == nil {
			p = changed
		}
	}
	return p.pull(), nil
}

func asked(list []cloudUser, user cloudUser) bool {
	for _, u := range list {
		if u.UUID == user.UUID {
			return true
		}
	}
	return false
}

const memberPages = 5

// user finds a member of the workspace by nickname, account id or UUID.
func (h *Cloud) user(ctx context.Context, name string) (cloudUser, bool, error) {
	for page := 1; page <= memberPages; page++ {
		var list struct {
			Values []struct{ User cloudUser }
			Next   string
		}
		query := url.Values{"pagelen": {"100"}, "page": {strconv.Itoa(page)}}
		if _, err := h.api.Do(ctx, rest.Call{Path: "/workspaces" + rest.Escape(h.opt.Owner) + "/members", Query: query,
			Out: &list}); err != nil {
			return cloudUser{}, false, err
		}
		for _, v := range list.Values {
			if u := v.User; u.UUID != "" &&
				(strings.EqualFold(u.Nickname, name) || u.AccountID == name || u.UUID == name) {
				return u, true, nil
			}
		}
		if list.Next == "" {
			break
		}
	}
	return cloudUser{}, false, nil
}

// commentPages limits how many pages of 100 are read, newest first.
const commentPages = 10

// cloudComment is a comment. Inline is set for comments on a line.
type cloudComment struct {
	ID        int64
	Content   struct{ Raw string }
	Deleted   bool
	User      struct{ Nickname string }
	CreatedOn time.Time `json:"created_on"`
	Inline    *struct {
		Path     string
		From, To int
	}
}

// Comments implements pull.Host.
func (h *Cloud) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	if _, err := h.get(ctx, number); err != nil {
		return nil, err
	}
	return h.listComments(ctx, h.number(number)+"/comments")
}

// listComments lists the comments of a pull request or an issue.
func (h *Cloud) listComments(ctx context.Context, path string) ([]pull.Comment, error) {
	var all []pull.Comment
	for page := 1; page <= commentPages; page++ {
		var list struct {
			Values []cloudComment
			Next   string
		}
		query := url.Values{"pagelen": {"100"}, "page": {strconv.Itoa(page)}, "sort": {"-created_on"}}
		if _, err := h.api.Do(ctx, rest.Call{Path: path, Query: query, Out: &list}); err != nil {
			return nil, err
		}
		for _, c := range list.Values {
			if !c.Deleted && c.Content.Raw != "" {
				all = append(all, c.comment())
			}
		}
		if list.Next == "" {
			break
		}
	}
	slices.Reverse(all) // they arrive newest first
	return rest.Newest(all), nil
}

func (c cloudComment) comment() pull.Comment {
	out := pull.Comment{ID: strconv.FormatInt(c.ID, 10), Author: c.User.Nickname, Body: c.Content.Raw,
		At: c.CreatedOn.UTC()}
	if c.Inline != nil {
		out.File, out.Line = c.Inline.Path, max(c.Inline.To, 0)
		if out.Line == 0 {
			out.Line = c.Inline.From
		}
	}
	return out
}
