package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/export"
)

// lockOrganization serializes transactions on one organization's exports. If a transaction also locks a task, it locks
// the task first. If it also locks ended exports, it locks them afterwards. This fixed order avoids deadlocks.
func (t *Tx) lockOrganization(ctx context.Context, organizationID string) error {
	_, err := single(ctx, t.q, value[string], `SELECT id FROM organizations WHERE id = $1`+t.forUpdate(),
		organizationID)
	if errors.Is(err, errNone) {
		return errUnknownOrganization
	}
	return wrap("lock organization", err)
}

// QueueExport starts an export unless the same files are already available. If an open job makes the same files, that
// job is returned and joined is true. If the bundles of an equal completed job are still stored, the new job gets these
// bundles and is completed in this transaction, although the returned value still has the status queued. Otherwise the
// job waits for a worker, unless too many of the organization's jobs are already waiting.
func (t *Tx) QueueExport(ctx context.Context, j export.Job, l export.Limits) (made export.Job, joined bool, err error) {
	if err := t.lockOrganization(ctx, j.OrganizationID); err != nil {
		return j, false, err
	}
	if j.Identity != "" {
		open, err := single(ctx, t.q, scanExport, `SELECT `+exportColumns+
			` FROM static_exports e WHERE e.identity = $1 AND e.status IN ('queued', 'running')`, j.Identity)
		if !errors.Is(err, errNone) {
			return open, err == nil, wrap("find open export", err)
		}
		// Lock the export, so that its bundles do not expire in the meantime.
		same, err := single(ctx, t.q, scanExport,
			`SELECT `+
				exportColumns+` FROM static_exports e WHERE e.identity = $1 AND e.status = 'completed' AND e.expired_at IS NULL
			ORDER BY e.created_at DESC, e.id DESC LIMIT 1`+t.forUpdate(), j.Identity)
		if !errors.Is(err, errNone) {
			if err != nil {
				return j, false, wrap("find equal export", err)
			}
			made, err := t.reuse(ctx, j, same)
			return made, false, err
		}
	}
	if l.MaxQueued > 0 {
		waiting, err := single(ctx, t.q, value[int64],
			`SELECT count(*) FROM tasks WHERE organization_id = $1 AND state = 'queued' AND kind = 'export'`,
			j.OrganizationID)
		if err != nil {
			return j, false, wrap("count waiting exports", err)
		}
		if int(waiting) >= l.MaxQueued {
			return j, false, l.TooManyQueued()
		}
	}
	made, err = t.CreateExport(ctx, j)
	return made, false, err
}

// reuse stores an export that has the bundles of another export. It needs no task.
func (t *Tx) reuse(ctx context.Context, j, from export.Job) (export.Job, error) {
	j.ReusedFrom = from.ID
	if from.ReusedFrom != "" {
		j.ReusedFrom = from.ReusedFrom
	}
	made, err := t.insertExport(ctx, j)
	if err != nil {
		return made, err
	}
	if _, err := t.q.exec(ctx,
		`UPDATE static_exports SET status = 'running', commit_id = $2, page_total = $3 WHERE id = $1`, made.ID,
		from.Commit, from.PageTotal); err != nil {
		return made, wrap("reuse export", err)
	}
	_,
		err = t.q.exec(ctx,
		`UPDATE static_exports SET status = 'completed', progress = 100, page_count = $2, stage = $3, `+
			`bundles = $4, diagnostics = $5, ended_at = $6 WHERE id = $1`,
		made.ID, from.PageCount, string(export.StageDone), asJSON(from.Bundles), asJSON(from.Diagnostics),
		micros(t.now()))
	return made, wrap("reuse export", err)
}
