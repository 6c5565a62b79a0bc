package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// Keep says which deployments of a project stay.
type Keep struct {
	// newest successful productions, beside the live one: what a project can be rolled back to
	Productions int
	Failures    int           // newest failed productions; at least 1, by which polling knows what it has tried
	Previews    time.Duration // age up to which previews stay
}

// PruneDeployments removes a project's old deployments and returns those that stay. The live one, those under way and
// those that an export still has to read always stay. Failures are counted apart from successes: any number of them
// leaves a project with all that it can be rolled back to.
func (s *Store) PruneDeployments(ctx context.Context, projectID string, keep Keep) (stay []deploy.Deployment,
	err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		// or a roll-back may make live what is removed this moment
		if err := t.lockProject(ctx, projectID); err != nil {
			return err
		}
		_, err := t.q.exec(ctx, `DELETE FROM deployments WHERE project_id = $1 AND ended_at IS NOT NULL
			AND id <> (SELECT live_id FROM projects WHERE id = $1)
			AND id NOT IN (SELECT deployment_id FROM static_exports WHERE project_id = $1 AND status IN ('queued', 'running'))
			AND (kind = 'preview' AND ended_at < $3 AND id NOT IN
					(SELECT deployment_id FROM pull_previews WHERE project_id = $1 AND state = 'open')
				OR kind = 'production' AND status = 'success' AND id NOT IN
					(SELECT id FROM deployments WHERE project_id = $1 AND kind = 'production' `+
			`AND status = 'success' ORDER BY created_at DESC, id DESC LIMIT $2)
				OR kind = 'production' AND status <> 'success' AND id NOT IN
					(SELECT id FROM deployments WHERE project_id = $1 AND kind = 'production' `+
			`AND status = 'failure' ORDER BY created_at DESC, id DESC LIMIT $4))`,
			projectID, keep.Productions, micros(t.now().Add(-keep.Previews)), max(1, keep.Failures))
		if err != nil {
			return wrap("prune deployments", err)
		}
		if _, err := t.q.exec(ctx, `DELETE FROM pull_previews WHERE project_id = $1 AND state <> 'open' AND updated_at < $2`,
			projectID, micros(t.now().Add(-keep.Previews))); err != nil {
			return wrap("prune previews of pull requests", err)
		}
		if _, err := t.q.exec(ctx,
			`DELETE FROM tasks WHERE kind = 'report' AND state = 'done' AND id NOT IN (SELECT id FROM pull_previews)`); err != nil {
			return wrap("prune reports", err)
		}
		if err := t.pruneMentions(ctx, projectID); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx,
			`DELETE FROM tasks WHERE kind = 'deploy' AND state = 'done' AND id NOT IN (SELECT id FROM deployments)`); err != nil {
			return wrap("prune tasks", err)
		}
		stay, err = collect(ctx, t.q, scanDeployment,
			`SELECT `+deploymentColumns+` FROM deployments d WHERE d.project_id = $1`, projectID)
		return wrap("list deployments that stay", err)
	})
	return stay, err
}
