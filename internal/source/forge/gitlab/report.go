package gitlab

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var (
	_ pull.Reporter   = (*Host)(nil)
	_ pull.Discussion = (*Host)(nil)
)

// states maps states to GitLab's terms, which have no term for an error that is not the author's fault.
var states = map[pull.StatusState]string{pull.Pending: "pending", pull.Succeeded: "success", pull.Failed: "failed",
	pull.Errored: "failed"}

// SetStatus implements pull.Reporter.
func (h *Host) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	if err := rest.CheckCommit(commit); err != nil {
		return err
	}
	s = rest.FitStatus(s)
	in := map[string]any{"state": states[s.State], "name": s.Name, "description": s.Text, "target_url": s.URL}
	var made struct{ ID int64 }
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.project + "/statuses/" + commit, In: in, Out: &made})
	switch {
	case rest.Status(err) == http.StatusBadRequest && sameStatus(err):
		return nil
	case err != nil:
		return err
	case made.ID <= 0:
		return h.api.Unreadable("a status without an id")
	}
	return nil
}

// sameStatus reports whether GitLab refused a status because the commit already has it. GitLab accepts only changes of
// state.
func sameStatus(err error) bool {
	return strings.Contains(rest.Said(err), "Cannot transition status via")
}

// PutComment implements pull.Reporter.
func (h *Host) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	at, in := h.number(number)+"/notes", map[string]any{"body": rest.Fit(pull.Request{Body: n.Body}).Body}
	if n.Issue {
		at = h.project + "/issues/" + strconv.FormatInt(number, 10) + "/notes"
	} else if _, err := h.get(ctx, number); err != nil {
		return "", err
	}
	return rest.Comments{
		Change: func(ctx context.Context, id string) error {
			_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: at + rest.Escape(id), In: in})
			return err
		},
		Create: func(ctx context.Context) (string, error) { return h.api.NewComment(ctx, at, in) },
		List:   func(ctx context.Context) ([]pull.Comment, error) { return h.notes(ctx, at) },
		Self: func(ctx context.Context) (string, error) {
			var out struct{ Username string }
			_, err := h.api.Do(ctx, rest.Call{Path: "/user", Out: &out})
			return out.Username, err
		},
	}.Put(ctx, n)
}
