package gitea

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

const (
	commentPages = 10
	maxReviews   = 40 // reviews whose comments are requested, one request each
)

// comment is the part that we use of the three kinds of comments: on the pull request, on a line, and the text of a
// review.
type comment struct {
	ID               int64
	Body             string
	Path             string
	Position         int // line in the new file
	OriginalPosition int `json:"original_position"` // line in the old file
	User             struct{ Login string }
	CreatedAt        time.Time `json:"created_at"`
	SubmittedAt      time.Time `json:"submitted_at"`   // for a review
	CommentsCount    int       `json:"comments_count"` // for a review
	line             bool      // part of a review
}

// Comments implements pull.Host.
func (h *Host) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	if _, err := h.get(ctx, number); err != nil {
		return nil, err
	}
	below, err := h.list(ctx, h.repo+"/issues/"+strconv.FormatInt(number, 10)+"/comments")
	if err != nil {
		return nil, err
	}
	reviews, err := h.list(ctx, h.number(number)+"/reviews")
	if err != nil {
		return nil, err
	}
	for _, review := range reviews[max(0, len(reviews)-maxReviews):] {
		if review.CommentsCount == 0 {
			continue
		}
		lines, err := h.list(ctx, h.number(number)+"/reviews/"+strconv.FormatInt(review.ID, 10)+"/comments")
		if err != nil {
			return nil, err
		}
		for i := range lines {
			lines[i].line = true
		}
		below = append(below, lines...)
	}
	// Times have a resolution of one second; ids order comments within a second, and both kinds share one sequence.
	slices.SortFunc(below, func(a, b comment) int { return cmp.Compare(a.ID, b.ID) })
	return rest.Newest(appendComments(appendComments(nil, "review", reviews), "comment", below)), nil
}

func (h *Host) list(ctx context.Context, path string) ([]comment, error) {
	var all []comment
	for page := 1; page <= commentPages; page++ {
		var list []comment
		header, err := h.api.Do(ctx, rest.Call{Path: path,
			Query: url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(perPage)}}, Out: &list})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if !rest.More(header) {
			break
		}
	}
	return all, nil
}

func appendComments(all []pull.Comment, kind string, list []comment) []pull.Comment {
	for _, c := range list {
		if c.Body == "" {
			continue
		}
		at, kind := c.CreatedAt, kind
		if c.line {
			kind = "line"
		}
		if at.IsZero() {
			at = c.SubmittedAt
		}
		all = append(all, pull.Comment{ID: kind + "-" + strconv.FormatInt(c.ID, 10), Author: c.User.Login, Body: c.Body,
			File: c.Path,
			Line: cmp.Or(c.Position, c.OriginalPosition), At: at.UTC()})
	}
	return all
}
