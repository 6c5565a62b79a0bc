package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

// ListPublishedOtherwise returns projects whose live site was built with offers other than the given ones (see
// deploy.Deployment). It returns projects whose id comes after the given one, ordered by id. It omits sites that a user
// rolled back: with a newer deployment, even of the same source, the next poll would undo the rollback.
func (r reads) ListPublishedOtherwise(ctx context.Context, offers, after string, limit int) ([]project.Project, error) {
	list, err := collect(ctx, r.q, scanProject,
		`SELECT `+projectColumns+` FROM projects p JOIN deployments d ON d.id = p.live_id
		WHERE p.id > $1 AND d.offers <> $2 AND d.created_at > p.rolled_back_at ORDER BY p.id LIMIT $3`, after, offers,
		limit)
	if err != nil {
		return nil, wrap("list projects with other offers", err)
	}
	return list, r.fillDomains(ctx, list)
}

// CountUnended counts a project's queued and running production deployments, except the given one.
func (r reads) CountUnended(ctx context.Context, projectID, otherThan string) (int64, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT count(*) FROM deployments WHERE project_id = $1 AND kind = 'production' AND status IN ('queued', `+
			`'in_progress') AND id <> $2`, projectID, otherThan)
	return n, wrap("count deployments under way", err)
}
