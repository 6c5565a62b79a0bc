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

// Open implements pull.Host.
func (h *Center) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	ref := func(branch string) map[string]string { return map[string]string{"id": "refs/heads/" + branch} }
	in := map[string]any{"title": r.Title, "description": r.Body, "fromRef": ref(r.Head), "toRef": ref(r.Base),
		"draft": r.Draft}
	var p centerPull
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/pull-requests", In: in, Out: &p})
	switch {
	case rest.Status(err) == http.StatusConflict:
		found, finding := h.Find(ctx, r.Head)
		if finding == nil && found.State != pull.Open || fault.HasCode(finding, "unknown_pull") {
			return pull.Pull{}, err
		}
		if finding != nil {
			return pull.Pull{}, finding
		}
		if p, err = h.get(ctx, found.Number); err != nil {
			return pull.Pull{}, err
		}
		return h.ask(ctx, p, r.Reviewers)
	case rest.Status(err) == http.StatusNotFound:
		return pull.Pull{}, h.api.NoBranch(ctx, h.repo, err)
	case err != nil:
		return pull.Pull{}, err
	case p.ID <= 0:
		return pull.Pull{}, h.api.Unreadable("a pull request without a number")
	}
	return h.ask(ctx, p, r.Reviewers)
}

// Update implements pull.Host.
func (h *Center) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
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
func (h *Center) put(ctx context.Context, p centerPull, reviewers []centerReviewer) (centerPull, error) {
	if reviewers == nil {
		reviewers = []centerReviewer{}
	}
	in := map[string]any{"version": p.Version, "title": p.Title, "description": p.Description, "draft": p.Draft,
		"reviewers": reviewers}
	var out centerPull
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: h.number(p.ID), In: in, Out: &out})
	if err == nil && out.ID != p.ID {
		err = h.api.Unreadable("a different pull request from the one that was changed")
	}
	return out, err
}

// ask adds reviewers one at a time, because Bitbucket refuses the whole list for a single invalid name.
func (h *Center) ask(ctx context.Context, p centerPull, names []string) (pull.Pull, error) {
	for _, name := range names {
		if slices.ContainsFunc(p.Reviewers,
			func(have centerReviewer) bool { return strings.EqualFold(have.User.Name, name) }) {
			continue
		}
		changed, err := h.put(ctx, p,
			append(p.Reviewers[:len(p.Reviewers):len(p.Reviewers)], centerReviewer{centerUser{name}}))
		if grave := rest.Grave(err); grave != nil {
			return p.pull(), grave
		}
		if err == nil {
			p = changed
		}
	}
	return p.pull(), nil
}

// activity is an entry in a pull request's activity list, which includes comments, newest first.
type activity struct {
	Action        string
	CommentAction string
	Comment       centerComment
	CommentAnchor *anchor
}

type centerComment struct {
	ID          int64
	Text        string
	Author      centerUser
	CreatedDate int64           // milliseconds
	Comments    []centerComment // replies, with their own replies
}

type anchor struct {
	Path string
	Line int
}

// Comments implements pull.Host.
func (h *Center) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	if _, err := h.get(ctx, number); err != nil {
		return nil, err
	}
	var all []pull.Comment
	start := 0
	for range commentPages {
		var page struct {
			Values        []activity
			IsLastPage    bool
			NextPageStart int
		}
		query := url.Values{"limit": {"100"}, "start": {strconv.Itoa(start)}}
		if _, err := h.api.Do(ctx,
			rest.Call{Path: h.number(number) + "/activities", Query: query, Out: &page}); err != nil {
			return nil, err
		}
		for _, a := range page.Values {
			if a.Action == "COMMENTED" && a.CommentAction != "DELETED" {
				all = a.Comment.collect(all, a.CommentAnchor, maxReplies)
			}
		}
		if page.IsLastPage || page.NextPageStart <= start {
			break
		}
		start = page.NextPageStart
	}
	slices.Reverse(all) // they arrive newest first
	return rest.Newest(all), nil
}

// maxReplies limits the depth of nested replies.
const maxReplies = 20

// collect appends a comment and its replies, which refer to the same line. A comment that is also listed as a
// separate activity is appended once.
func (c centerComment) collect(all []pull.Comment, at *anchor, depth int) []pull.Comment {
	out := pull.Comment{ID: strconv.FormatInt(c.ID, 10), Author: c.Author.Name, Body: c.Text,
		At: time.UnixMilli(c.CreatedDate).UTC()}
	if at != nil {
		out.File, out.Line = at.Path, at.Line
	}
	if c.Text != "" && !slices.ContainsFunc(all, func(have pull.Comment) bool { return have.ID == out.ID }) {
		all = append(all, out)
	}
	if depth > 0 {
		for _, reply := range c.Comments {
			all = reply.collect(all, at, depth-1)
		}
	}
	return all
}
