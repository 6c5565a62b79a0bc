package github

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// commentPages limits how many pages of 100 are read for each kind of comment.
const commentPages = 10

// comment is the part that we use of the three kinds of comments: on the pull request, on a line, and the text of a
// review.
type comment struct {
	ID           int64
	Body         string
	Path         string
	Line         int
	OriginalLine int `json:"original_line"` // original line, if the line no longer exists
	User         struct{ Login string }
	CreatedAt    time.Time `json:"created_at"`
	SubmittedAt  time.Time `json:"submitted_at"` // for a review
}

// Comments implements pull.Host.
func (h *Host) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	if _, err := h.get(ctx, number); err != nil {
		return nil, err
	}
	n := strconv.FormatInt(number, 10)
	var all []pull.Comment
	kinds := []struct{ name, path string }{{"comment", "/issues/" + n + "/comments"},
		{"line", "/pulls/" + n + "/comments"}, {"review", "/pulls/" + n + "/reviews"}}
	for _, kind := range kinds {
		var err error
		if all, err = h.listComments(ctx, all, kind.name, kind.path); err != nil {
			return nil, err
		}
	}
	return rest.Newest(all), nil
}

// listComments appends the comments of one kind.
func (h *Host) listComments(ctx context.Context, all []pull.Comment, kind, path string) ([]pull.Comment, error) {
	for page := 1; page <= commentPages; page++ {
		var list []comment
		header, err := h.api.Do(ctx, rest.Call{Path: h.repo + path,
			Query: url.Values{"per_page": {"100"}, "page": {strconv.Itoa(page)}}, Out: &list})
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if c.Body != "" {
				all = append(all, c.comment(kind))
			}
		}
		if !rest.More(header) {
			break
		}
	}
	return all, nil
}

func (c comment) comment(kind string) pull.Comment {
	at, line := c.CreatedAt, c.Line
	if at.IsZero() {
		at = c.SubmittedAt
	}
	if line == 0 {
		line = c.OriginalLine
	}
	return pull.Comment{ID: kind + "-" + strconv.FormatInt(c.ID, 10), Author: c.User.Login, Body: c.Body, File: c.Path,
		Line: line, At: at.UTC()}
}
