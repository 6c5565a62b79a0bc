package store

import (
	"context"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
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
// leaves a project with all that it can be rolled back to. Tasks of what it removes stay until PruneTasks.
func (s *Store) PruneDeployments(ctx context.Context, projectID string, keep Keep) (stay []Retained, err error) {
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
		if _, err := t.q.exec(ctx, `DELETE FROM mentions WHERE project_id = $1 AND created_at < $2`, projectID,
			micros(t.now().Add(-automation.KeepMentions))); err != nil {
			return wrap("prune mentions", err)
		}
		stay, err = collect(ctx, t.q, scanRetained,
			// no join: PostgreSQL reads a table whole for it that has grown since it was analyzed
			`SELECT d.id, d.snapshot_key, d.manifest_key, COALESCE((SELECT n.blobs FROM manifest_needs n
				WHERE n.deployment_id = d.id), '') FROM deployments d WHERE d.project_id = $1`, projectID)
		return wrap("list deployments that stay", err)
	})
	return stay, err
}

// pruneBatch is how many tasks one transaction of PruneTasks removes: writers wait for it on SQLite.
const pruneBatch = 500

// PruneTasks removes tasks that ended and whose deployment, pull request or mention is gone, of every project. It reads
// all such tasks, so call it once in a round and not for each project.
func (s *Store) PruneTasks(ctx context.Context) error {
	for _, of := range []struct{ kind, table string }{{"deploy", "deployments"}, {"report", "pull_previews"},
		{"mention", "mentions"}} {
		// NOT EXISTS, because PostgreSQL compares each row with all those of a long NOT IN. What is gone does not come
		// back under the same id, so nothing is decided again in the transaction.
		gone, err := collect(ctx, s.q, value[string], `SELECT t.id FROM tasks t WHERE t.state = 'done' AND t.kind = '`+
			of.kind+`' AND NOT EXISTS (SELECT 1 FROM `+of.table+` o WHERE o.id = t.id) ORDER BY t.id`)
		if err != nil {
			return wrap("list tasks to prune", err)
		}
		for batch := range slices.Chunk(gone, pruneBatch) {
			err := s.Tx(ctx, func(t *Tx) error {
				for _, id := range batch {
					if _, err := t.q.exec(ctx, `DELETE FROM tasks WHERE id = $1 AND state = 'done'`, id); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return wrap("prune tasks", err)
			}
		}
	}
	return nil
}
