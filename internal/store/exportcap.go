package store

import (
	"context"
	"math"

	"github.com/lectern-docs/lectern/internal/task"
)

// exportCap is how many exports of one organization may run at once.
func (s *Store) exportCap() int64 {
	if s.runningExports <= 0 {
		return math.MaxInt32
	}
	return int64(s.runningExports)
}

// exportsCapped is 1 when the organization has as many exports running as it may, and 0 otherwise. The lock lets two workers that look at
// the same moment see each other's export; tasks are taken without waiting for their locks, so nobody waits in a circle.
func (t *Tx) exportsCapped(ctx context.Context, organizationID string) (int64, error) {
	if t.s.runningExports <= 0 {
		return 0, nil
	}
	if err := t.lockOrganization(ctx, organizationID); err != nil {
		return 0, err
	}
	running, err := single(ctx, t.q, value[int64], `SELECT count(*) FROM tasks WHERE organization_id = $1 AND kind = 'export' AND state = 'running'`, organizationID)
	if err != nil {
		return 0, wrap("count running exports", err)
	}
	if running >= t.s.exportCap() {
		return 1, nil
	}
	return 0, nil
}

// wakeAfterExport asks for a worker when an export ended that others of its organization may have waited for: the wake-ups that were made
// for those found that they may not run yet.
func (t *Tx) wakeAfterExport(ctx context.Context, ended task.Task) error {
	if t.s.runningExports <= 0 || ended.Kind != task.Export {
		return nil
	}
	waiting, err := single(ctx, t.q, value[int64], `SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id = $1 AND kind = 'export' AND state = 'queued' LIMIT 1) x`, ended.OrganizationID)
	if err != nil || waiting == 0 {
		return wrap("count waiting exports", err)
	}
	return t.wakeFor(ctx, ended.Kind, ended.OrganizationID)
}
