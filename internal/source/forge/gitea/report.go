package gitea

import (
	"context"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var (
	_ pull.Reporter   = (*Host)(nil)
	_ pull.Discussion = (*Host)(nil)
)

// SetStatus implements pull.Reporter.
func (h *Host) SetStatus(ctx context.Context, commit string, s pull.Status) error {
	return h.api.SetRepositoryStatus(ctx, h.repo, commit, s)
}

// PutComment implements pull.Reporter.
func (h *Host) PutComment(ctx context.Context, number int64, n pull.Note) (string, error) {
	comments := h.api.RepositoryComments(h.repo, number, n)
	if n.Issue {
		// The host responds with an internal error if the issue does not exist.
		var found subject
		at := h.repo + "/issues/" + strconv.FormatInt(number, 10)
		if err := h.api.One(ctx, at, h.repo, &found, func() bool { return found.Number == number }); err != nil {
			return "", err
		}
		comments.List = func(ctx context.Context) ([]pull.Comment, error) { return h.issueComments(ctx, number) }
	} else {
		if _, err := h.get(ctx, number); err != nil {
			return "", err
		}
		comments.List = func(ctx context.Context) ([]pull.Comment, error) { return h.Comments(ctx, number) }
	}
	comments.Self = h.self
	return comments.Put(ctx, n)
}

func (h *Host) issueComments(ctx context.Context, number int64) ([]pull.Comment, error) {
	list, err := h.list(ctx, h.repo+"/issues/"+strconv.FormatInt(number, 10)+"/comments")
	return rest.Newest(appendComments(nil, "comment", list)), err
}

// MayWrite implements pull.Discussion.
func (h *Host) MayWrite(ctx context.Context, who pull.Person) (bool, error) {
	return h.api.Permission(ctx, h.repo, who)
}

// self returns the key's account. The host does not return it for a token without the scope read:user.
func (h *Host) self(ctx context.Context) (string, error) {
	var out struct{ Login string }
	_, err := h.api.Do(ctx, rest.Call{Path: "/user", Out: &out})
	return out.Login, err
}
