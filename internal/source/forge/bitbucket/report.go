package bitbucket

import (
	"context"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var (
	_ pull.Reporter   = (*Cloud)(nil)
	_ pull.Reporter   = (*Center)(nil)
	_ pull.Discussion = (*Cloud)(nil)
	_ pull.Discussion = (*Center)(nil)
)

// states maps states to the terms of both products, which have no term for an error that is not the author's fault.
var states = map[pull.StatusState]string{pull.Pending: "INPROGRESS", pull.Succeeded: "SUCCESSFUL", pull.Failed: "FAILED",
	pull.Errored: "FAILED"}

func build(s pull.Status) map[string]any {
	s = rest.FitStatus(s)
	return map[string]any{"key": s.Name, "name": s.Name, "state": states[s.State], "description": s.Text, "url": s.URL}
}

// SetStatus implements pull.Reporter.
func (h *Cloud) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	if err := rest.CheckCommit(commit); err != nil {
		return err
	}
	var made struct{ Key string }
	if _, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/commit/" + commit + "/statuses/build",
		In: build(s), Out: &made}); err != nil {
		return err
	}
	if made.Key == "" {
		return h.api.Unreadable("a status without a key")
	}
	if s.State == pull.Pending {
		return nil
	}
	return h.insights(commit, rest.FitStatus(s)).send(ctx)
}

// PutComment implements pull.Reporter.
func (h *Cloud) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	at := h.number(number) + "/comments"
	if n.Issue {
		at = h.repo + "/issues/" + strconv.FormatInt(number, 10) + "/comments"
	} else if _, err := h.get(ctx, number); err != nil {
		return "", err
	}
	in := map[string]any{"content": map[string]string{"raw": rest.Fit(pull.Request{Body: n.Body}).Body}}
	return rest.Comments{
		Change: func(ctx context.Context, id string) error {
			_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: at + rest.Escape(id), In: in})
			return err
		},
		Create: func(ctx context.Context) (string, error) { return h.api.NewComment(ctx, at, in) },
		List:   func(ctx context.Context) ([]pull.Comment, error) { return h.listComments(ctx, at) },
		// The host does not return the account for a repository or workspace token.
		Self: func(ctx context.Context) (string, error) {
			var out cloudUser
			_, err := h.api.Do(ctx, rest.Call{Path: "/user", Out: &out})
			return out.Nickname, err
		},
	}.Put(ctx, n)
}

// SetStatus implements pull.Reporter. The response has no body.
func (h *Center) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	if err := rest.CheckCommit(commit); err != nil {
		return err
	}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/commits/" + commit + "/builds", In: build(s)})
	if err != nil || s.State == pull.Pending {
		return err
	}
	return h.insights(commit, rest.FitStatus(s)).send(ctx)
}

// PutComment implements pull.Reporter.
func (h *Center) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	if _, err := h.get(ctx, number); err != nil {
		return "", err
	}
	at, text := h.number(number)+"/comments", rest.Fit(pull.Request{Body: n.Body}).Body
	return rest.Comments{
		Change: func(ctx context.Context, id string) error {
			var now struct{ Version int64 } // changing a comment requires its current version
			if _, err := h.api.Do(ctx, rest.Call{Path: at + rest.Escape(id), Out: &now}); err != nil {
				return err
			}
			_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: at + rest.Escape(id),
				In: map[string]any{"text": text, "version": now.Version}})
			return err
		},
		Create: func(ctx context.Context) (string, error) {
			return h.api.NewComment(ctx, at, map[string]any{"text": text})
		},
		List: func(ctx context.Context) ([]pull.Comment, error) { return h.Comments(ctx, number) },
		Self: func(ctx context.Context) (string, error) {
			header, err := h.api.Do(ctx, rest.Call{Path: h.repo})
			return header.Get("X-AUSERNAME"), err
		},
	}.Put(ctx, n)
}
