package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
)

// Keep defines which deployments of a project to keep.
type Keep struct {
	// how many of the newest successful production deployments, besides the live one, to keep for rollbacks
	Productions int
	Failures    int           // newest failed production deployments; at least 1, because polling uses it to see what was already tried
	Previews    time.Duration // age up to which previews are kept
}

// oldDeployments is the SQL condition for those of a project's deployments that pruning deletes. $1 to $4 are the
// project, the number of productions to keep, the time before which previews are old, and the number of failures to
// keep.
const oldDeployments = `project_id = $1 AND ended_at IS NOT NULL
	AND id <> (SELECT live_id FROM projects WHERE id = $1)
	AND id NOT IN (SELECT deployment_id FROM static_exports WHERE project_id = $1 AND status IN ('queued', 'running'))
	AND (kind = 'preview' AND ended_at < $3 AND id NOT IN
			(SELECT deployment_id FROM pull_previews WHERE project_id = $1 AND state = 'open')
		OR kind = 'production' AND status = 'success' AND id NOT IN
			(SELECT id FROM deployments WHERE project_id = $1 AND kind = 'production'
				AND status = 'success' ORDER BY created_at DESC, id DESC LIMIT $2)
		OR kind = 'production' AND status <> 'success' AND id NOT IN
			(SELECT id FROM deployments WHERE project_id = $1 AND kind = 'production'
				AND status = 'failure' ORDER BY created_at DESC, id DESC LIMIT $4))`

// PruneDeployments deletes a project's old deployments and returns the remaining ones. It always keeps the live
// deployment, deployments in progress, and deployments that an export still has to read. Failures and successes are
// counted separately, so that many failures do not remove rollback targets. The tasks of deleted deployments remain
// until PruneTasks is called.
//
// A sweep calls it for every project, but few projects have anything to delete. Only those projects are locked.
func (s *Store) PruneDeployments(ctx context.Context, projectID string, keep Keep) (stay []Retained, err error) {
	before := micros(s.now().Add(-keep.Previews))
	asked := micros(s.now().Add(-automation.KeepMentions))
	failures := max(1, keep.Failures)
	old, err := single(ctx, s.q, value[bool], `SELECT EXISTS (SELECT 1 FROM deployments WHERE `+oldDeployments+`)
		OR EXISTS (SELECT 1 FROM pull_previews WHERE project_id = $1 AND state <> 'open' AND updated_at < $3)
		OR EXISTS (SELECT 1 FROM mentions WHERE project_id = $1 AND created_at < $5)
		FROM projects WHERE id = $1`, projectID, keep.Productions, before, failures, asked)
	if errors.Is(err, errNone) {
		return nil, errUnknownProject
	}
	if err == nil && old {
		err = s.Tx(ctx, func(t *Tx) error {
			return t.deleteOld(ctx, projectID, keep.Productions, failures, before, asked)
		})
	}
	if err != nil {
		return nil, wrap("prune deployments", err)
	}
	stay, err = collect(ctx, s.q, scanRetained,
		// a subquery instead of a join: for a join, PostgreSQL would scan the whole table if it has grown since it was
		// analyzed
		`SELECT d.id, d.snapshot_key, d.manifest_key, COALESCE((SELECT n.blobs FROM manifest_needs n
			WHERE n.deployment_id = d.id), '') FROM deployments d WHERE d.project_id = $1`, projectID)
	return stay, wrap("list deployments to keep", err)
}

// deleteOld deletes a project's old deployments, closed previews whose last change was before the time before, and
// mentions that are older than the time asked.
func (t *Tx) deleteOld(ctx context.Context, projectID string, productions, failures int, before, asked int64) error {
	// otherwise a rollback could make a deployment live while it is being deleted
	if err := t.lockProject(ctx, projectID); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `DELETE FROM deployments WHERE `+oldDeployments, projectID, productions, before,
		failures); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `DELETE FROM pull_previews WHERE project_id = $1 AND state <> 'open' AND updated_at < $2`,
		projectID, before); err != nil {
		return wrap("delete previews of pull requests", err)
	}
	_, err := t.q.exec(ctx, `DELETE FROM mentions WHERE project_id = $1 AND created_at < $2`, projectID, asked)
	return wrap("delete mentions", err)
}

// pruneBatch is the number of tasks that PruneTasks deletes in one transaction. On SQLite, other writers wait for the
// transaction.
const pruneBatch = 500

// PruneTasks deletes ended tasks of all projects whose deployment, pull request or mention no longer exists. It reads
// all such tasks, so it should be called once per round rather than once per project.
func (s *Store) PruneTasks(ctx context.Context) error {
	for _, of := range []struct{ kind, table string }{{"deploy", "deployments"}, {"report", "pull_previews"},
		{"mention", "mentions"}} {
		// NOT EXISTS is used because PostgreSQL compares each row with every element of a long NOT IN list. Deleted ids
		// are never used again, so the transaction below does not need to check again.
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
