package github

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ pull.Reporter = (*Host)(nil)

// SetStatus implements pull.Reporter.
func (h *Host) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	if err := rest.CheckCommit(commit); err != nil {
		return err
	}
	s = rest.FitStatus(s)
	in := map[string]any{"state": string(s.State), "context": s.Name, "description": s.Text, "target_url": s.URL}
	var made struct{ ID int64 }
	if _, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/statuses/" + commit, In: in,
		Out: &made}); err != nil {
		return err
	}
	if made.ID <= 0 {
		return h.api.Unreadable("a status without an id")
	}
	return nil
}

// PutComment implements pull.Reporter.
func (h *Host) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	if _, err := h.get(ctx, number); err != nil {
		return "", err
	}
	n.Body = rest.Fit(pull.Request{Body: n.Body}).Body
	in := map[string]any{"body": n.Body}
	return rest.Comments{
		Change: func(ctx context.Context, id string) error {
			_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPatch, In: in,
				Path: h.repo + "/issues/comments" + rest.Escape(strings.TrimPrefix(id, "comment-"))})
			return err
		},
		Create: func(ctx context.Context) (string, error) {
			return h.api.NewComment(ctx, h.repo+"/issues/"+strconv.FormatInt(number, 10)+"/comments", in)
		},
		List: func(ctx context.Context) ([]pull.Comment, error) { return h.Comments(ctx, number) },
		Self: h.viewer,
	}.Put(ctx, n)
}

// viewer returns who the token is for. Only the GraphQL API answers that for tokens of users and of Apps alike.
func (h *Host) viewer(ctx context.Context) (string, error) {
	var out struct {
		Data struct{ Viewer struct{ Login string } }
	}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.graph,
		In: map[string]any{"query": "query { viewer { login } }"}, Out: &out})
	return out.Data.Viewer.Login, err
}
