package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// MaxViews is the maximum number of views that are stored for a project. It is also the maximum number of views that an
// update builds in addition to the view for readers without groups.
const MaxViews = 32

// AskView records that readers requested a view of a project's site. If there are more than MaxViews, it deletes the
// least recently requested view.
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
	return wrap("delete old views", err)
}

// ListViews returns the views of a project that were requested since the given time, ordered by key.
func (r reads) ListViews(ctx context.Context, projectID string, since time.Time) ([]reader.View, error) {
	keys, err := collect(ctx, r.q, value[string],
		`SELECT view FROM reader_views WHERE project_id = $1 AND asked_at >= $2 ORDER BY view LIMIT $3`,
		projectID, micros(since), MaxViews)
	if err != nil {
		return nil, wrap("list views", err)
	}
	var out []reader.View
	for _, key := range keys {
		if v, err := reader.Parse(key); err == nil { // views that a newer release added are built by that release
			out = append(out, v)
		}
	}
	return out, nil
}
