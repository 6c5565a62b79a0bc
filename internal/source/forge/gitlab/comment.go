package gitlab

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

// commentPages limits how many pages of 100 are read, newest first.
const commentPages = 10

// note is a comment. Comments on a line have a position.
type note struct {
	ID        int64
	Body      string
	System    bool // written by GitLab itself
	Author    struct{ Username string }
	CreatedAt time.Time `json:"created_at"`
	Position  *struct {
		NewPath string `json:"new_path"`
		OldPath string `json:"old_path"`
		NewLine int    `json:"new_line"`
		OldLine int    `json:"old_line"`
	}
}

// Comments implements pull.Host.
func (h *Host) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	if _, err := h.get(ctx, number); err != nil {
		return nil, err
	}
	return h.notes(ctx, h.number(number)+"/notes")
}

// notes lists the notes of a merge request or an issue.
func (h *Host) notes(ctx context.Context, path string) ([]pull.Comment, error) {
	var all []pull.Comment
	for page := 1; page <= commentPages; page++ {
		var list []note
		query := url.Values{"per_page": {"100"}, "page": {strconv.Itoa(page)}, "order_by": {"created_at"},
			"sort": {"desc"}}
		header, err := h.api.Do(ctx, rest.Call{Path: path, Query: query, Out: &list})
		if err != nil {
			return nil, err
		}
		for _, n := range list {
			if !n.System && n.Body != "" {
				all = append(all, n.comment())
			}
		}
		if !rest.More(header) {
			break
		}
	}
	slices.Reverse(all) // they arrive newest first
	return rest.Newest(all), nil
}

func (n note) comment() pull.Comment {
	c := pull.Comment{ID: strconv.FormatInt(n.ID, 10), Author: n.Author.Username, Body: n.Body, At: n.CreatedAt.UTC()}
	if p := n.Position; p != nil {
		c.File, c.Line = cmp.Or(p.NewPath, p.OldPath), cmp.Or(p.NewLine, p.OldLine)
	}
	return c
}
