package github

import (
	"context"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var (
	_ pull.Reporter   = (*Host)(nil)
	_ pull.Discussion = (*Host)(nil)
)

// SetStatus implements pull.Reporter. With an App it creates a check run, which other tokens may not do.
func (h *Host) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	if h.opt.Checks {
		err := h.setCheck(ctx, commit, s)
		if fault.Is(err, fault.Unavailable) { // a rate limit is also a 403
			return err
		}
		if code := rest.Status(err); code != http.StatusForbidden && code != http.StatusNotFound {
			return err
		}
		// the App lacks the permission for checks
	}
	return h.api.SetRepositoryStatus(ctx, h.repo, commit, s)
}

// PutComment implements pull.Reporter.
func (h *Host) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	comments := h.api.RepositoryComments(h.repo, number, n)
	if n.Issue {
		comments.List = func(ctx context.Context) ([]pull.Comment, error) {
			all, err := h.listComments(ctx, nil, "comment", "/issues/"+strconv.FormatInt(number, 10)+"/comments")
			return rest.Newest(all), err
		}
	} else {
		if _, err := h.get(ctx, number); err != nil {
			return "", err
		}
		comments.List = func(ctx context.Context) ([]pull.Comment, error) { return h.Comments(ctx, number) }
	}
	comments.Self = h.viewer
	return comments.Put(ctx, n)
}

// MayWrite implements pull.Discussion.
func (h *Host) MayWrite(ctx context.Context, who pull.Person) (bool, error) {
	return h.api.Permission(ctx, h.repo, who)
}

// viewer returns the token's account. Only the GraphQL API supports this for tokens of both users and Apps.
func (h *Host) viewer(ctx context.Context) (string, error) {
	var out struct {
		Data struct{ Viewer struct{ Login string } }
	}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.graph,
		In: map[string]any{"query": "query { viewer { login } }"}, Out: &out})
	return out.Data.Viewer.Login, err
}
