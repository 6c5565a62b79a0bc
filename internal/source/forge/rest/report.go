package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const longestStatus = 140 // bytes: the strictest host accepts 140 characters

// FitStatus truncates a status to the length that every host accepts.
func FitStatus(s pull.Status) pull.Status {
	s.Text = Line(s.Text, longestStatus)
	return s
}

// Comments describes a driver's requests for the comments on one pull request.
type Comments struct {
	Change func(ctx context.Context, id string) error // a missing comment is a fault of kind NotFound
	Create func(ctx context.Context) (id string, err error)
	List   func(ctx context.Context) ([]pull.Comment, error)
	Self   func(ctx context.Context) (author string, err error) // "" = the host does not say
}

// Put changes or creates a note's comment, see pull.Reporter.
func (c Comments) Put(ctx context.Context, n pull.Note) (string, error) {
	if n.ID != "" {
		if err := c.Change(ctx, n.ID); !fault.Is(err, fault.NotFound) {
			return n.ID, err
		}
	}
	id, err := c.find(ctx, n.Marker)
	switch {
	case err != nil:
		return "", err
	case id != "":
		// If the host refuses the change, another person with the same name wrote the comment, on a host without a
		// better identifier.
		if err := c.Change(ctx, id); !fault.Is(err, fault.Forbidden) {
			return id, err
		}
	}
	return c.Create(ctx)
}

// find returns the id of our comment; "" if there is none.
func (c Comments) find(ctx context.Context, marker string) (string, error) {
	self, err := c.Self(ctx)
	if err := Grave(err); err != nil || self == "" {
		return "", err
	}
	list, err := c.List(ctx)
	if err != nil {
		return "", err
	}
	for _, one := range list {
		if one.Author == self && one.File == "" && strings.Contains(one.Body, marker) {
			return one.ID, nil
		}
	}
	return "", nil
}

// NewComment creates a comment and returns its id.
func (c *Client) NewComment(ctx context.Context, at string, in any) (string, error) {
	var made struct{ ID int64 }
	if _, err := c.Do(ctx, Call{Method: http.MethodPost, Path: at, In: in, Out: &made}); err != nil {
		return "", err
	}
	if made.ID <= 0 {
		return "", c.Unreadable("a comment without an id")
	}
	return strconv.FormatInt(made.ID, 10), nil
}

// SetRepositoryStatus sets a commit's status in GitHub's format, which Gitea shares.
func (c *Client) SetRepositoryStatus(ctx context.Context, repo, commit string, s pull.Status) error {
	if err := CheckCommit(commit); err != nil {
		return err
	}
	s = FitStatus(s)
	in := map[string]any{"state": string(s.State), "context": s.Name, "description": s.Text, "target_url": s.URL}
	var made struct{ ID int64 }
	if _, err := c.Do(ctx, Call{Method: http.MethodPost, Path: repo + "/statuses/" + commit, In: in,
		Out: &made}); err != nil {
		return err
	}
	if made.ID <= 0 {
		return c.Unreadable("a status without an id")
	}
	return nil
}

// RepositoryComments describes the requests for the comments on a pull request in GitHub's format, which Gitea
// shares. The driver adds List and Self.
func (c *Client) RepositoryComments(repo string, number int64, n pull.Note) Comments {
	in := map[string]any{"body": Fit(pull.Request{Body: n.Body}).Body}
	return Comments{
		Change: func(ctx context.Context, id string) error {
			_, err := c.Do(ctx, Call{Method: http.MethodPatch, In: in,
				Path: repo + "/issues/comments" + Escape(strings.TrimPrefix(id, "comment-"))})
			return err
		},
		Create: func(ctx context.Context) (string, error) {
			return c.NewComment(ctx, repo+"/issues/"+strconv.FormatInt(number, 10)+"/comments", in)
		},
	}
}

// CheckCommit refuses text that is not a full commit id, because it becomes part of a path.
func CheckCommit(id string) error {
	if Commit(id) == "" {
		return fault.New(fault.Invalid, "bad_commit", "This is not a full commit id.")
	}
	return nil
}
