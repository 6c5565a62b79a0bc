package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// MaxViews bounds the views of a project that are remembered, and that an update builds beside the one of readers in no
// group.
const MaxViews = 32

// AskView stores that readers want a view of a project's site. Of too many the one that nobody asked for the longest is
// forgotten.
func (t *Tx) AskView(ctx context.Context, projectID string, v reader.View) error {
	if _, err := t.FindProjectByID(ctx, projectID); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `INSERT INTO reader_views (project_id, view, asked_at) VALUES ($1, $2, $3)
		ON CONFLICT (project_id, view) DO UPDATE SET asked_at = excluded.asked_at`,
		projectID, v.Key(), micros(t.now())); err != nil {
		return wrap("store view", err)
	}
	_, err := t.q.exec(ctx, `DELETE FROM reader_views WHERE project_id = $1 AND view IN
		(SELECT view FROM reader_views WHERE project_id = $1 ORDER BY asked_at DESC, view LIMIT $2 OFFSET $2)`,
		projectID, MaxViews)
	return wrap("forget views", err)
}

// ListViews returns the views of a project that readers asked for since a moment, in the order of their keys.
func (r reads) ListViews(ctx context.Context, projectID string, since time.Time) ([]reader.View, error) {
	keys, err := collect(ctx, r.q, value[string],
		`SELECT view FROM reader_views WHERE project_id = $1 AND asked_at >= $2 ORDER BY view LIMIT $3`,
		projectID, micros(since), MaxViews)
	if err != nil {
		return nil, wrap("list views", err)
	}
	var out []reader.View
	for _, key := range keys {
		if v, err := reader.Parse(key); err == nil { // one of a newer release is built by that one
			out = append(out, v)
		}
	}
	return out, nil
}
