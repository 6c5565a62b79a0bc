package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// AdmitPullPreview makes room for the preview of a held deployment, once it is known that the pull request changes the
// docs. A project can have at most most previews for pull requests. Previews for forks are removed first, the oldest
// one first, but a preview for a fork never replaces a preview for the repository itself. refused reports that there is
// no room. If a stop was requested for the build, or newer commits have replaced it, nothing is removed.
func (s *Store) AdmitPullPreview(ctx context.Context, h task.Hold, lease time.Duration, projectID string,
	most int) (refused bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		if err := t.lockProject(ctx, projectID); err != nil {
			return err
		}
		cancelAsked, err := t.hold(ctx, h, lease)
		if err != nil || cancelAsked {
			return err
		}
		v, err := t.onePullPreview(ctx, `v.deployment_id = $1 AND v.state = 'open'`, h.TaskID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if refused, err = t.makePreviewRoom(ctx, v, most); err != nil || refused {
			return err
		}
		_, err = t.q.exec(ctx, `UPDATE pull_previews SET admitted = TRUE WHERE id = $1`, v.ID)
		return wrap("admit preview of pull request", err)
	})
	return refused, err
}

// makePreviewRoom removes previews until there is room for one more, or reports that the new one is refused. Previews
// that have not been admitted do not count.
func (t *Tx) makePreviewRoom(ctx context.Context, v pullpreview.Preview, most int) (refused bool, err error) {
	others, err := collect(ctx, t.q, scanPullPreview, `SELECT `+pullPreviewColumns+` FROM pull_previews v
		WHERE v.project_id = $1 AND v.id <> $2 AND v.state = 'open' AND v.deployment_id <> '' AND v.admitted
		ORDER BY CASE WHEN v.fork THEN 0 ELSE 1 END, v.updated_at, v.id`, v.ProjectID, v.ID)
	if err != nil {
		return false, wrap("list previews of pull requests", err)
	}
	over := len(others) + 1 - most
	for i := 0; i < over; i++ {
		if i >= len(others) || v.Fork && !others[i].Fork {
			return true, nil
		}
		if err := t.refusePullPreview(ctx, others[i], pullpreview.Limit); err != nil {
			return false, err
		}
	}
	return false, nil
}

// refusePullPreview removes a preview and stores the reason. It locks the builds' tasks before the preview. The code
// that ends a build uses the same order.
func (t *Tx) refusePullPreview(ctx context.Context, v pullpreview.Preview, why pullpreview.Refusal) error {
	if err := t.removePullPreview(ctx, v, "system", "", string(why)); err != nil {
		return err
	}
	_, err := t.q.exec(ctx, `UPDATE pull_previews SET refused = $2, outcome = '', admitted = FALSE, compared = '',
		changed = '[]' WHERE id = $1`, v.ID, string(why))
	return wrap("refuse preview", err)
}

// SkipPullPreview ends a held deployment for a pull request that gets no preview because it does not change the docs
// folder or because there is no room. It removes an earlier preview.
func (s *Store) SkipPullPreview(ctx context.Context, h task.Hold, why pullpreview.Refusal) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		v, err := t.onePullPreview(ctx, `v.deployment_id = $1`, h.TaskID)
		if fault.Is(err, fault.NotFound) { // the pull request has been closed, or has newer commits
			_, err := t.q.exec(ctx, `DELETE FROM deployments WHERE id = $1`, h.TaskID)
			return wrap("remove preview", err)
		}
		if err != nil {
			return err
		}
		return t.refusePullPreview(ctx, v, why)
	})
}
